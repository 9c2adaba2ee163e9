// SPDX-License-Identifier: Apache-2.0
// The vector unit: element-wise operations, reductions, broadcasts along an axis, conversions, and moves inside a tile.
// Values are computed in double and rounded to the tile's type, which for one operation of a type of at most 24 bits is
// the correctly rounded result. Adding an operation is a row in one of the tables at the end.
#include "compiler/interpreter/core.h"

#include <algorithm>
#include <cmath>

namespace placid::interp {

namespace {

using Tile = std::shared_ptr<TileValue>;

std::string text(const TileValue &tile) {
  return std::to_string(tile.validRows) + " x " + std::to_string(tile.validCols);
}

/// The tiles among the operands, in order, then the result; scalars go to `scalars`.
struct Operands {
  std::vector<Tile> tiles;
  std::vector<Number> scalars;
  Tile dst;
};

std::string collect(Core &core, const Statement &statement, size_t tiles, size_t scalars, Operands &out) {
  for (int slot : statement.ins) {
    Value &given = core.value(slot);
    if (given.kind == Value::Kind::Tile) {
      out.tiles.push_back(given.tile);
    } else if (given.kind == Value::Kind::Scalar) {
      out.scalars.push_back(given.number);
    } else {
      return "has " + core.name(slot) + ", which is neither a tile nor a scalar";
    }
  }
  if (out.tiles.size() < tiles || out.scalars.size() < scalars || statement.outs.empty()) {
    return "has too few operands";
  }
  if (std::string wrong = core.tile(statement.outs[0], out.dst); !wrong.empty()) {
    return wrong;
  }
  for (const Tile &tile : out.tiles) {
    if (tile->type.space != Space::Vec) {
      return "works on a tile that is not in Vec";
    }
  }
  return out.dst->type.space == Space::Vec ? "" : "makes a tile that is not in Vec";
}

std::string covers(const TileValue &src, const TileValue &dst) {
  return src.validRows < dst.validRows || src.validCols < dst.validCols
             ? "makes " + text(dst) + " of a tile of " + text(src)
             : "";
}

/// Computes every element of the result before any is written, as tiles may share a buffer.
template <class F> std::string fill(Core &core, const TileValue &dst, int64_t rows, int64_t cols, F element) {
  std::vector<Number> values(rows * cols);
  Origins *origins = core.origins();
  std::vector<uint64_t> ofAll;                  // what was read before any element
  std::vector<std::vector<uint64_t>> ofElement; // and for each
  if (origins != nullptr) {
    ofAll = origins->handOver();
    ofElement.resize(values.size());
  }
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (std::string wrong = element(i / cols, i % cols, values[i]); !wrong.empty()) {
      return wrong;
    }
    if (origins != nullptr) {
      ofElement[i] = origins->handOver();
    }
  }
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (origins != nullptr) {
      origins->derive(ofAll, ofElement[i]);
    }
    if (std::string wrong = core.write(dst, i / cols, i % cols, values[i]); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

Number inType(const TileValue &tile, double value) {
  return info(tile.type.dtype).isFloat ? Number::ofFloat(value) : Number::ofInt(static_cast<int64_t>(value));
}

Number asTypeOf(const TileValue &tile, Number value) { return convert(value, tile.type.dtype, Rounding::Rint); }

// --- one element from two

using Binary = Number (*)(Number, Number);

int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }
uint64_t bits(Number n) { return static_cast<uint64_t>(n.i); }

Number add(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(a.f + b.f) : Number::ofInt(wrapped(bits(a) + bits(b)));
}
Number sub(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(a.f - b.f) : Number::ofInt(wrapped(bits(a) - bits(b)));
}
Number mul(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(a.f * b.f) : Number::ofInt(wrapped(bits(a) * bits(b)));
}
Number div(Number a, Number b) {
  if (a.isFloat) {
    return Number::ofFloat(a.f / b.f);
  }
  return Number::ofInt(b.i == 0 ? -1 : b.i == -1 ? wrapped(0 - bits(a)) : a.i / b.i);
}
Number max(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(std::fmax(a.f, b.f)) : Number::ofInt(std::max(a.i, b.i));
}
Number min(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(std::fmin(a.f, b.f)) : Number::ofInt(std::min(a.i, b.i));
}
Number expDif(Number a, Number b) {
  return Number::ofFloat(std::exp(static_cast<double>(static_cast<float>(a.f - b.f))));
}
/// The remainder with the sign of the divisor.
Number rem(Number a, Number b) {
  if (a.isFloat) {
    double r = std::fmod(a.f, b.f);
    return Number::ofFloat(r != 0 && (r < 0) != (b.f < 0) ? r + b.f : r);
  }
  int64_t r = b.i == 0 || b.i == -1 ? 0 : a.i % b.i;
  return Number::ofInt(r != 0 && (r < 0) != (b.i < 0) ? r + b.i : r);
}
Number fmod(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(std::fmod(a.f, b.f)) : Number::ofInt(b.i == 0 || b.i == -1 ? 0 : a.i % b.i);
}
Number bitAnd(Number a, Number b) { return Number::ofInt(a.i & b.i); }
Number bitOr(Number a, Number b) { return Number::ofInt(a.i | b.i); }
Number bitXor(Number a, Number b) { return Number::ofInt(a.i ^ b.i); }
Number shl(Number a, Number b) { return Number::ofInt(b.i < 0 || b.i > 63 ? 0 : wrapped(bits(a) << b.i)); }
Number shr(Number a, Number b) { return Number::ofInt(b.i < 0 || b.i > 63 ? (a.i < 0 ? -1 : 0) : a.i >> b.i); }
Number leaky(Number a, Number b) { return Number::ofFloat(a.f > 0 ? a.f : a.f * b.f); }

template <Binary F> std::string elementWise(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  for (int i = 0; i < 2; ++i) {
    if (std::string wrong = covers(*o.tiles[i], *o.dst); !wrong.empty()) {
      return wrong;
    }
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number a;
    Number b;
    std::string wrong = core.read(*o.tiles[0], r, c, a);
    wrong = wrong.empty() ? core.read(*o.tiles[1], r, c, b) : wrong;
    out = F(a, b);
    return wrong;
  });
}

/// A tile and a scalar, in either order.
template <Binary F> std::string withScalar(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 1, o); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = covers(*o.tiles[0], *o.dst); !wrong.empty()) {
    return wrong;
  }
  bool scalarFirst = core.value(statement.ins[0]).kind == Value::Kind::Scalar;
  Number scalar = asTypeOf(*o.tiles[0], o.scalars[0]);
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number a;
    std::string wrong = core.read(*o.tiles[0], r, c, a);
    out = scalarFirst ? F(scalar, a) : F(a, scalar);
    return wrong;
  });
}

/// The second tile is one column (Rows) or one row that meets every column or row of the first.
template <Binary F, bool Rows> std::string expanded(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &line = *o.tiles[1];
  if (std::string wrong = covers(*o.tiles[0], *o.dst); !wrong.empty()) {
    return wrong;
  }
  if (Rows ? line.validRows < o.dst->validRows : line.validCols < o.dst->validCols) {
    return "spreads a tile of " + text(line) + " over " + text(*o.dst);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number a;
    Number b;
    std::string wrong = core.read(*o.tiles[0], r, c, a);
    wrong = wrong.empty() ? core.read(line, Rows ? r : 0, Rows ? 0 : c, b) : wrong;
    out = F(a, b);
    return wrong;
  });
}

template <bool Rows> std::string spread(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  if (Rows ? o.tiles[0]->validRows < o.dst->validRows : o.tiles[0]->validCols < o.dst->validCols) {
    return "spreads a tile of " + text(*o.tiles[0]) + " over " + text(*o.dst);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    return core.read(*o.tiles[0], Rows ? r : 0, Rows ? 0 : c, out);
  });
}

// --- one element from one

template <double (*F)(double)> std::string unary(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = covers(*o.tiles[0], *o.dst); !wrong.empty()) {
    return wrong;
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number a;
    std::string wrong = core.read(*o.tiles[0], r, c, a);
    out = inType(*o.dst, F(a.asDouble()));
    return wrong;
  });
}

std::string bitNot(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    std::string wrong = core.read(*o.tiles[0], r, c, out);
    out.i = ~out.i;
    return wrong;
  });
}

std::string fillWithScalar(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 0, 1, o); !wrong.empty()) {
    return wrong;
  }
  Number value = asTypeOf(*o.dst, o.scalars[0]);
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t, int64_t, Number &out) {
    out = value;
    return std::string();
  });
}

std::string countUp(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 0, 1, o); !wrong.empty()) {
    return wrong;
  }
  auto descending = statement.attributes.find("descending");
  int64_t step = descending != statement.attributes.end() && descending->second == "true" ? -1 : 1;
  return fill(core, *o.dst, 1, o.dst->validCols, [&](int64_t, int64_t c, Number &out) {
    out = Number::ofInt(o.scalars[0].i + step * c);
    return std::string();
  });
}

Rounding roundingOf(const Statement &statement) {
  auto found = statement.attributes.find("rmode");
  const std::string &mode = found == statement.attributes.end() ? std::string() : found->second;
  auto has = [&](const char *name) { return mode.find(name) != std::string::npos; };
  return has("ROUND")   ? Rounding::Round
         : has("FLOOR") ? Rounding::Floor
         : has("CEIL")  ? Rounding::Ceil
         : has("TRUNC") ? Rounding::Trunc
                        : Rounding::Rint;
}

std::string convertTile(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  if (std::string wrong = covers(*o.tiles[0], *o.dst); !wrong.empty()) {
    return wrong;
  }
  Rounding rounding = roundingOf(statement);
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number a;
    std::string wrong = core.read(*o.tiles[0], r, c, a);
    out = convert(a, o.dst->type.dtype, rounding);
    return wrong;
  });
}

// --- along an axis

/// Rows: one result a row. The result is rounded after every step, as a type of the tile holds it.
template <Binary F, bool Rows> std::string reduce(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  int64_t results = Rows ? src.validRows : src.validCols;
  int64_t length = Rows ? src.validCols : src.validRows;
  if ((Rows ? o.dst->validRows : o.dst->validCols) != results || length == 0) {
    return "reduces " + text(src) + " into " + text(*o.dst);
  }
  return fill(core, *o.dst, Rows ? results : 1, Rows ? 1 : results, [&](int64_t r, int64_t c, Number &out) {
    std::string wrong;
    for (int64_t i = 0; wrong.empty() && i < length; ++i) {
      Number element;
      wrong = core.read(src, Rows ? r : i, Rows ? i : c, element);
      out = i == 0 ? element : roundTo(src.type.dtype, F(out, element));
    }
    return wrong;
  });
}

template <bool Largest> std::string rowArgument(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  return fill(core, *o.dst, src.validRows, 1, [&](int64_t r, int64_t, Number &out) {
    std::string wrong;
    double best = 0;
    for (int64_t i = 0; wrong.empty() && i < src.validCols; ++i) {
      Number element;
      wrong = core.read(src, r, i, element);
      if (i == 0 || (Largest ? element.asDouble() > best : element.asDouble() < best)) {
        best = element.asDouble();
        out = Number::ofInt(i);
      }
    }
    return wrong;
  });
}

// --- comparisons: a mask of one bit an element, the lowest bit first

bool compares(const std::string &mode, double a, double b) {
  auto is = [&](const char *name) { return mode.find(name) != std::string::npos; };
  return is("EQ") || is("eq")   ? a == b
         : is("NE") || is("ne") ? a != b
         : is("LT") || is("lt") ? a < b
         : is("LE") || is("le") ? a <= b
         : is("GT") || is("gt") ? a > b
                                : a >= b;
}

template <bool Scalar> std::string compare(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, Scalar ? 1 : 2, Scalar ? 1 : 0, o); !wrong.empty()) {
    return wrong;
  }
  auto mode = statement.attributes.find("cmpMode");
  std::string name = mode == statement.attributes.end() ? "EQ" : mode->second.substr(mode->second.find("cmp") + 3);
  const TileValue &a = *o.tiles[0];
  int64_t bytes = (a.validCols + 7) / 8;
  if (info(o.dst->type.dtype).bytes != 1 || o.dst->cols < bytes) {
    return "needs a mask of bytes, one bit an element";
  }
  const DTypeInfo &element = info(a.type.dtype);
  const bool equality = name.find("eq") != std::string::npos || name.find("EQ") != std::string::npos ||
                        name.find("ne") != std::string::npos || name.find("NE") != std::string::npos;
  if (core.arch() != "a5" && !element.isFloat && (element.bytes != 4 || !equality)) {
    return "compares integers, for which this chip has but equality of 32 bits";
  }
  return fill(core, *o.dst, a.validRows, bytes, [&](int64_t r, int64_t byte, Number &out) {
    std::string wrong;
    for (int64_t bit = 0; wrong.empty() && bit < 8 && byte * 8 + bit < a.validCols; ++bit) {
      Number x;
      Number y = Scalar ? asTypeOf(a, o.scalars[0]) : Number();
      wrong = core.read(a, r, byte * 8 + bit, x);
      if (!Scalar && wrong.empty()) {
        wrong = core.read(*o.tiles[1], r, byte * 8 + bit, y);
      }
      out.i |= compares(name, x.asDouble(), y.asDouble()) ? int64_t{1} << bit : 0;
    }
    return wrong;
  });
}

std::string select(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 3, 0, o); !wrong.empty()) {
    return wrong;
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number mask;
    std::string wrong = core.read(*o.tiles[0], r, c / 8, mask);
    return wrong.empty() ? core.read((mask.i >> (c % 8) & 1) != 0 ? *o.tiles[1] : *o.tiles[2], r, c, out) : wrong;
  });
}

// --- moves

std::string transpose(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  if (src.validRows != o.dst->validCols || src.validCols != o.dst->validRows) {
    return "turns " + text(src) + " into " + text(*o.dst);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols,
              [&](int64_t r, int64_t c, Number &out) { return core.read(src, c, r, out); });
}

std::string concat(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  int64_t left = o.tiles[0]->validCols;
  if (left + o.tiles[1]->validCols != o.dst->validCols) {
    return "joins " + text(*o.tiles[0]) + " and " + text(*o.tiles[1]) + " into " + text(*o.dst);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    return c < left ? core.read(*o.tiles[0], r, c, out) : core.read(*o.tiles[1], r, c - left, out);
  });
}

Number padding(const TileValue &tile) {
  const DTypeInfo &type = info(tile.type.dtype);
  if (tile.type.pad < 2) {
    return inType(tile, 0);
  }
  bool largest = tile.type.pad == 2;
  if (type.isFloat) {
    return Number::ofFloat(largest ? HUGE_VAL : -HUGE_VAL);
  }
  uint64_t top = type.isSigned ? (uint64_t{1} << (type.bits - 1)) - 1 : ~uint64_t{0} >> (64 - type.bits);
  return Number::ofInt(largest ? wrapped(top) : type.isSigned ? -wrapped(top) - 1 : 0);
}

/// The valid part of the source, and the padding of the result's type around it.
std::string fillPad(Core &core, const Statement &statement) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &src = *o.tiles[0];
  Number pad = padding(*o.dst);
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    out = pad;
    return r < src.validRows && c < src.validCols ? core.read(src, r, c, out) : std::string();
  });
}

/// Of each row the columns that a pattern selects, which says the last of its columns first: P0001 is every fourth.
std::string gatherByMask(Core &core, const Statement &statement, const std::string &pattern) {
  Operands o;
  if (std::string wrong = collect(core, statement, 1, 0, o); !wrong.empty()) {
    return wrong;
  }
  size_t begin = pattern.find('P');
  std::string bits = begin == std::string::npos ? "" : pattern.substr(begin + 1, 4);
  std::vector<int64_t> taken;
  for (int64_t c = 0; bits.size() == 4 && c < o.tiles[0]->validCols; ++c) {
    if (bits[static_cast<size_t>(3 - c % 4)] == '1') {
      taken.push_back(c);
    }
  }
  const TileValue &src = *o.tiles[0];
  if (src.validRows != o.dst->validRows || static_cast<int64_t>(taken.size()) != o.dst->validCols) {
    return "picks " + std::to_string(taken.size()) + " columns by " + bits + " for " + std::to_string(o.dst->validCols);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols,
              [&](int64_t r, int64_t c, Number &out) { return core.read(src, r, taken[static_cast<size_t>(c)], out); });
}

/// dst[r, c] = src at the flat index that the second tile holds.
std::string gather(Core &core, const Statement &statement) {
  if (auto pattern = statement.attributes.find("maskPattern"); pattern != statement.attributes.end()) {
    return gatherByMask(core, statement, pattern->second);
  }
  Operands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  if (info(o.tiles[1]->type.dtype).isFloat) {
    return "gathers in a way that the interpreter does not know";
  }
  const TileValue &src = *o.tiles[0];
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number index;
    std::string wrong = core.read(*o.tiles[1], r, c, index);
    if (wrong.empty() && (index.i < 0 || index.i >= src.rows * src.cols)) {
      return "gathers element " + std::to_string(index.i) + " of " + std::to_string(src.rows * src.cols);
    }
    return wrong.empty() ? core.read(src, index.i / src.cols, index.i % src.cols, out) : wrong;
  });
}

double reciprocal(double x) { return 1.0 / x; }
double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }
double negative(double x) { return -x; }
double positivePart(double x) { return x > 0 ? x : 0; }

} // namespace

void addVectorOperations(OperationTable &t) {
  const std::pair<const char *, std::pair<Operation, Operation>> pairs[] = {
      // between two tiles, between a tile and a scalar
      {"add", {elementWise<add>, withScalar<add>}},       {"sub", {elementWise<sub>, withScalar<sub>}},
      {"mul", {elementWise<mul>, withScalar<mul>}},       {"div", {elementWise<div>, withScalar<div>}},
      {"max", {elementWise<max>, withScalar<max>}},       {"min", {elementWise<min>, withScalar<min>}},
      {"rem", {elementWise<rem>, withScalar<rem>}},       {"fmod", {elementWise<fmod>, withScalar<fmod>}},
      {"and", {elementWise<bitAnd>, withScalar<bitAnd>}}, {"or", {elementWise<bitOr>, withScalar<bitOr>}},
      {"xor", {elementWise<bitXor>, withScalar<bitXor>}}, {"shl", {elementWise<shl>, withScalar<shl>}},
      {"shr", {elementWise<shr>, withScalar<shr>}},
  };
  for (const auto &[name, both] : pairs) {
    t[std::string("pto.t") + name] = both.first;
    t[std::string("pto.t") + name + "s"] = both.second;
  }
  const std::pair<const char *, std::pair<Operation, Operation>> broadcasts[] = {
      {"add", {expanded<add, true>, expanded<add, false>}},
      {"sub", {expanded<sub, true>, expanded<sub, false>}},
      {"mul", {expanded<mul, true>, expanded<mul, false>}},
      {"div", {expanded<div, true>, expanded<div, false>}},
      {"max", {expanded<max, true>, expanded<max, false>}},
      {"min", {expanded<min, true>, expanded<min, false>}},
      {"expdif", {expanded<expDif, true>, expanded<expDif, false>}},
      {"", {spread<true>, spread<false>}},
  };
  for (const auto &[name, both] : broadcasts) {
    t[std::string("pto.trowexpand") + name] = both.first;
    t[std::string("pto.tcolexpand") + name] = both.second;
  }
  const std::pair<const char *, std::pair<Operation, Operation>> reductions[] = {
      {"sum", {reduce<add, true>, reduce<add, false>}},
      {"max", {reduce<max, true>, reduce<max, false>}},
      {"min", {reduce<min, true>, reduce<min, false>}},
      {"prod", {reduce<mul, true>, reduce<mul, false>}},
  };
  for (const auto &[name, both] : reductions) {
    t[std::string("pto.trow") + name] = both.first;
    t[std::string("pto.tcol") + name] = both.second;
  }
  t["pto.texp"] = unary<std::exp>;
  t["pto.tlog"] = unary<std::log>;
  t["pto.tsqrt"] = unary<std::sqrt>;
  t["pto.tabs"] = unary<std::fabs>;
  t["pto.trsqrt"] = unary<reciprocalRoot>;
  t["pto.trecip"] = unary<reciprocal>;
  t["pto.tneg"] = unary<negative>;
  t["pto.trelu"] = unary<positivePart>;
  t["pto.tlrelu"] = withScalar<leaky>;
  t["pto.tnot"] = bitNot;
  t["pto.texpands"] = fillWithScalar;
  t["pto.tci"] = countUp;
  t["pto.tcvt"] = convertTile;
  t["pto.trowargmax"] = rowArgument<true>;
  t["pto.trowargmin"] = rowArgument<false>;
  t["pto.tcmp"] = compare<false>;
  t["pto.tcmps"] = compare<true>;
  t["pto.tsel"] = select;
  t["pto.ttrans"] = transpose;
  t["pto.tconcat"] = concat;
  t["pto.tfillpad"] = fillPad;
  t["pto.tfillpad_inplace"] = fillPad;
  t["pto.tfillpad_expand"] = fillPad;
  t["pto.tgather"] = gather;
}

} // namespace placid::interp
