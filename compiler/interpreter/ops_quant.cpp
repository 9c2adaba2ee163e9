// SPDX-License-Identifier: Apache-2.0
// The vector unit over rows with a scale of their own, over tiles of which one has less in use, and with three
// operands: apart from ops_vector.cpp because each takes its operands in another way. Rounding follows the hardware's
// headers.
#include "compiler/interpreter/vector_operands.h"

#include <algorithm>
#include <cmath>

namespace placid::interp {

namespace {

double single(double value) { return static_cast<double>(static_cast<float>(value)); }

/// One number a row, in a column.
std::string checkColumn(const TileValue &column, const TileValue &dst) {
  bool good = column.type.dtype == DType::F32 && column.cols == 1 && column.validRows >= dst.validRows;
  return good ? "" : "needs one FP32 a row, has " + validText(column) + " for " + validText(dst);
}

/// Scaled, with `offset` moved, rounded to the nearest even integer and held within a byte.
std::string quantize(Core &core, const Statement &statement) {
  auto found = statement.attributes.find("quant_type");
  bool asymmetric = found != statement.attributes.end() && found->second.find("ASYM") != std::string::npos;
  VectorOperands o;
  if (std::string wrong = collect(core, statement, asymmetric ? 3 : 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  std::string wrong = covers(*o.tiles[0], *o.dst);
  for (size_t i = 1; wrong.empty() && i < o.tiles.size(); ++i) {
    wrong = checkColumn(*o.tiles[i], *o.dst);
  }
  if (!wrong.empty()) {
    return wrong;
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number element;
    Number scale;
    Number offset = Number::ofFloat(0);
    std::string why = core.read(*o.tiles[0], r, c, element);
    why = why.empty() ? core.read(*o.tiles[1], r, 0, scale) : why;
    why = why.empty() && asymmetric ? core.read(*o.tiles[2], r, 0, offset) : why;
    double scaled = single(element.f * scale.f);
    scaled = asymmetric ? single(scaled + offset.f) : scaled;
    double low = asymmetric ? 0 : -128;
    double high = asymmetric ? 255 : 127;
    out = Number::ofInt(std::isnan(scaled) ? 0 : static_cast<int64_t>(std::clamp(std::nearbyint(scaled), low, high)));
    return why;
  });
}

std::string dequantize(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 3, 0, o); !wrong.empty()) {
    return wrong;
  }
  std::string wrong = covers(*o.tiles[0], *o.dst);
  wrong = wrong.empty() ? checkColumn(*o.tiles[1], *o.dst) : wrong;
  wrong = wrong.empty() ? checkColumn(*o.tiles[2], *o.dst) : wrong;
  if (!wrong.empty()) {
    return wrong;
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number element;
    Number scale;
    Number offset;
    std::string why = core.read(*o.tiles[0], r, c, element);
    why = why.empty() ? core.read(*o.tiles[1], r, 0, scale) : why;
    why = why.empty() ? core.read(*o.tiles[2], r, 0, offset) : why;
    out = Number::ofFloat(single(single(element.asDouble() - offset.f) * scale.f));
    return why;
  });
}

using Binary = Number (*)(Number, Number);

Number sum(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(a.f + b.f)
                   : Number::ofInt(static_cast<int64_t>(static_cast<uint64_t>(a.i) + static_cast<uint64_t>(b.i)));
}
Number product(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(a.f * b.f)
                   : Number::ofInt(static_cast<int64_t>(static_cast<uint64_t>(a.i) * static_cast<uint64_t>(b.i)));
}
Number larger(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(std::fmax(a.f, b.f)) : Number::ofInt(std::max(a.i, b.i));
}
Number smaller(Number a, Number b) {
  return a.isFloat ? Number::ofFloat(std::fmin(a.f, b.f)) : Number::ofInt(std::min(a.i, b.i));
}

/// Where both have an element in use the operation of them, else a copy of the one that is there.
template <Binary F> std::string partly(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 2, 0, o); !wrong.empty()) {
    return wrong;
  }
  const TileValue &a = *o.tiles[0];
  const TileValue &b = *o.tiles[1];
  auto same = [&](const TileValue &tile) {
    return tile.validRows == o.dst->validRows && tile.validCols == o.dst->validCols;
  };
  bool within = a.validRows <= o.dst->validRows && a.validCols <= o.dst->validCols && b.validRows <= o.dst->validRows &&
                b.validCols <= o.dst->validCols;
  if ((!same(a) && !same(b)) || !within) {
    return "makes " + validText(*o.dst) + " of tiles of " + validText(a) + " and " + validText(b);
  }
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    bool inA = r < a.validRows && c < a.validCols;
    bool inB = r < b.validRows && c < b.validCols;
    Number x;
    Number y;
    std::string wrong = inA ? core.read(a, r, c, x) : std::string();
    wrong = inB && wrong.empty() ? core.read(b, r, c, y) : wrong;
    out = inA && inB ? F(x, y) : inA ? x : y;
    return wrong;
  });
}

/// What the result holds, plus a tile times a number, rounded once.
std::string addScaled(Core &core, const Statement &statement) {
  VectorOperands o;
  if (std::string wrong = collect(core, statement, 1, 1, o); !wrong.empty()) {
    return wrong;
  }
  if (o.tiles[0]->validRows != o.dst->validRows || o.tiles[0]->validCols != o.dst->validCols) {
    return "adds " + validText(*o.tiles[0]) + " to " + validText(*o.dst);
  }
  Number factor = convert(o.scalars[0], o.tiles[0]->type.dtype, Rounding::Rint);
  return fill(core, *o.dst, o.dst->validRows, o.dst->validCols, [&](int64_t r, int64_t c, Number &out) {
    Number element;
    Number held;
    std::string wrong = core.read(*o.tiles[0], r, c, element);
    wrong = wrong.empty() ? core.read(*o.dst, r, c, held) : wrong;
    out = Number::ofFloat(std::fma(element.f, factor.f, held.f));
    return wrong;
  });
}

} // namespace

void addQuantOperations(OperationTable &t) {
  t["pto.tquant"] = quantize;
  t["pto.tdequant"] = dequantize;
  t["pto.tpartadd"] = partly<sum>;
  t["pto.tpartmul"] = partly<product>;
  t["pto.tpartmax"] = partly<larger>;
  t["pto.tpartmin"] = partly<smaller>;
  t["pto.taxpy"] = addScaled;
}

} // namespace placid::interp
