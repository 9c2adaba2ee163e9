// SPDX-License-Identifier: Apache-2.0
// `pl.TileType(…)`: its keywords, the layouts a memory space takes, and the boxes a shape has to fill.
#include "compiler/pro/rules/rules.h"
#include "compiler/pro/rules/spelling.h"

#include <algorithm>
#include <array>

namespace placid::pro::rules {

using syntax::Expr;

namespace {

struct Keywords {
  const Expr *shape = nullptr;
  const Expr *valid = nullptr;
  const Expr *layout = nullptr;
  const Expr *fractal = nullptr;
};

std::string text(int64_t value) { return std::to_string(value); }

std::string boxText(Layout layout, const Box &box) {
  return std::string(name(layout)) + " box is " + text(box.rows) + " x " + text(box.columns);
}

/// An enumeration's member: its last name when it is one, "?" for what was reported.
std::string_view member(KernelReader &reader, const syntax::Keyword &keyword, const Value &value) {
  Argument argument{keyword.value, value, reader.site(*keyword.value)};
  if (value.isUnknown()) {
    reader.noteUnknown(argument);
  }
  if (!ofEnumeration(reader, keyword.name, argument)) {
    return "?";
  }
  std::string_view path = value.path();
  return path.starts_with("pro.") ? path.substr(path.rfind('.') + 1) : std::string_view();
}

/// The extents of shape= and valid_shape=; false when one was refused.
bool extents(KernelReader &reader, const Expr &list, std::string_view what, bool minusOne, std::vector<Extent> &out) {
  Argument argument{&list, reader.evaluate(list), reader.site(list)};
  std::optional<std::vector<KernelReader::Item>> items = reader.items(argument);
  if (!items) {
    reader.noteUnknown(argument);
    if (!argument.value.isUnknown()) {
      reader.report(minusOne ? diag::ProTileValid : diag::ProTileStatic, argument.at,
                    std::string(what) + " of a TileType is a list of compile-time integers, got " +
                        describe(argument.value));
    }
    return false;
  }
  bool good = true;
  for (const KernelReader::Item &item : *items) {
    std::optional<int64_t> value = item.value.integer();
    out.push_back(value);
    if (value && *value <= 0 && !(minusOne && *value == -1)) {
      reader.report(minusOne ? diag::ProTileValid : diag::ProTilePositive, item.at,
                    std::string(what) + " of a TileType must be positive" +
                        (minusOne ? ", or -1 for the whole extent" : "") + ", got " + text(*value));
      good = false;
    } else if (!value && !item.value.isUnknown()) {
      reader.report(diag::ProTileStatic, item.at,
                    std::string(what) + " of a TileType must be a compile-time integer, got " + describe(item.value) +
                        ": use `pl.set_validshape` for sizes that are known at run time only");
      good = false;
    } else if (item.value.isUnknown()) {
      reader.noteUnknown({argument.expr, item.value, item.at});
    }
  }
  return good;
}

void checkValid(KernelReader &reader, TileTypeInfo &type, const Expr &list) {
  std::vector<Extent> valid;
  if (!extents(reader, list, "valid_shape", true, valid)) {
    return;
  }
  if (type.shapeKnown && valid.size() != type.shape.size()) {
    reader.report(diag::ProTileValid, reader.site(list),
                  "valid_shape has " + text(static_cast<int64_t>(valid.size())) + " entries, the shape has " +
                      text(static_cast<int64_t>(type.shape.size())));
    return;
  }
  for (size_t i = 0; i < valid.size(); ++i) {
    Extent extent = type.extent(i);
    if (valid[i] && extent && *valid[i] > *extent) {
      reader.report(diag::ProTileValid, reader.site(list),
                    "valid_shape axis " + text(static_cast<int64_t>(i)) + ": " + text(*valid[i]) + " exceeds " +
                        text(*extent) + "; an entry is -1 or 1.." + text(*extent));
      return;
    }
    valid[i] = valid[i] == -1 ? type.extent(i) : valid[i];
  }
  type.valid = valid;
}

/// Whether a tile of this shape may have the layout, as far as that is known: a fix that leads to the next fault is
/// none.
bool layoutFits(const TileTypeInfo &type, Layout layout) {
  if (!type.dtype || !type.space || type.shape.size() != 2) {
    return true;
  }
  std::vector<Layout> allowed = allowedLayouts(*type.space, *type.dtype);
  if (std::find(allowed.begin(), allowed.end(), layout) == allowed.end()) {
    return false;
  }
  Extent rows = type.extent(0);
  Extent columns = type.extent(1);
  if (!isBoxed(layout)) {
    return layout != Layout::DN || !columns || *columns == 1;
  }
  Box box = innerBox(layout, defaultFractal(*type.space, *type.dtype, layout), *type.dtype);
  return (!rows || *rows % box.rows == 0) && (!columns || (*columns != 1 && *columns % box.columns == 0));
}

/// The layout: given or by default. False when it is refused.
bool checkLayout(KernelReader &reader, TileTypeInfo &type, const Keywords &written) {
  if (!type.space) {
    return true;
  }
  Space space = *type.space;
  std::string archText(target::archName(reader.arch()));
  if (!existsOn(space, reader.arch())) {
    reader.report(diag::ProSpaceArch, type.at,
                  std::string(name(space)) + " tiles are only supported on A5: this kernel is for " + archText);
    return false;
  }
  std::optional<Layout> standard = defaultLayout(space, reader.arch());
  if (!type.layoutGiven) {
    type.layout = standard ? *standard : Layout::ND;
    return true;
  }
  if (!type.layout || !type.dtype) {
    return true;
  }
  Layout given = *type.layout;
  std::vector<Layout> allowed = allowedLayouts(space, *type.dtype);
  std::string shown(name(given));
  Site at = reader.site(*written.layout);
  if (space == Space::Left && given == Layout::ZZ && reader.arch() == target::Arch::A5) {
    reader
        .report(diag::ProLayoutArch, type.at,
                "a Left tile is declared ZZ for a5: L0A of a5 is NZ, ZZ is the layout of A3; releases since August "
                "2026 refuse it")
        .fix("declare `" + spelledIn(at.module, "NZ") + "`", at, spelledIn(at.module, "NZ"));
    return true;
  }
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) {
    return true;
  }
  bool integer = name(*type.dtype).find("INT") != std::string_view::npos;
  std::string rest = "; the default for " + archText + " is " + std::string(standard ? name(*standard) : "ND");
  if (space == Space::Mat && (given == Layout::ZZ || given == Layout::NN)) {
    reader.report(diag::ProTileLayoutMatmx, type.at,
                  "a Mat tile of " + std::string(name(*type.dtype)) + " is declared " + shown +
                      ": ZZ and NN in L1 hold MX scales, whose dtype must be DT_FP8E8M0" + rest);
    return false;
  }
  if (space == Space::Mat && given == Layout::ND && integer) {
    reader
        .report(diag::ProTileLayoutMat64, type.at,
                "a Mat tile of " + std::string(name(*type.dtype)) +
                    " is declared ND: ND in L1 is reserved for 64-bit types, INT64 and "
                    "UINT64" +
                    rest)
        .fix("declare `" + spelledIn(at.module, "NZ") + "`", at, spelledIn(at.module, "NZ"));
    return false;
  }
  std::string why = space == Space::ScaleLeft ? " (A scales)" : space == Space::ScaleRight ? " (B scales)" : "";
  auto report = reader.report(diag::ProTileLayout, type.at,
                              std::string(name(space)) + (allowed.size() == 1 ? " requires " : " takes ") +
                                  listed(allowed) + why + ", got " + shown + rest);
  Layout meant = standard.value_or(isBoxed(given) ? Layout::NZ : Layout::ND);
  meant = type.extent(1) == 1 && isBoxed(meant) && space == Space::Vec ? Layout::DN : meant;
  if (layoutFits(type, meant)) {
    std::string plain = spelledIn(at.module, name(meant));
    report.fix("declare `" + plain + "`", at, plain);
  }
  return false;
}

void checkFractal(KernelReader &reader, TileTypeInfo &type, const Keywords &written) {
  if (!written.fractal || !type.fractal || !type.dtype || !type.layout || !type.space) {
    return;
  }
  int64_t given = *type.fractal;
  Site at = reader.site(*written.fractal);
  int64_t needed = defaultFractal(*type.space, *type.dtype, *type.layout);
  std::string dtypeText(name(*type.dtype));
  if (given != 32 && given != 512 && given != 1024) {
    reader.report(diag::ProFractal, at, "fractal is one of 32, 512 and 1024 bytes, got " + text(given))
        .fix("use " + text(needed), at, text(needed));
  } else if (needed == 1024 && given != 1024) {
    reader.report(diag::ProFractal, at, dtypeText + " accumulators need fractal=1024 (or omit it), got " + text(given))
        .fix("use 1024", at, "1024");
  } else if (needed == 32 && given != 32) {
    reader.report(diag::ProFractal, at, "fractal must be 32 for MX scale tiles (or omit it), got " + text(given))
        .fix("use 32", at, "32");
  } else {
    return;
  }
  type.fractal = needed;
}

/// Rows and columns against the layout's boxes and the 32-byte line.
void checkShape(KernelReader &reader, TileTypeInfo &type, const Keywords &written) {
  if (!type.isStatic() || type.shape.size() != 2 || !type.dtype || !type.space || !type.layout) {
    return;
  }
  int64_t rows = *type.shape[0];
  int64_t columns = *type.shape[1];
  Space space = *type.space;
  Layout layout = *type.layout;
  std::string dtypeText(name(*type.dtype));
  if (space == Space::Bias && rows != 1) {
    reader.report(diag::ProTileBiasRows, type.shapeAt, "Bias tiles are [1, N], got " + showShape(type.shape));
    type.poisoned = true;
    return;
  }
  if (bits(*type.dtype) < 8 && columns % 2 != 0) {
    reader.report(diag::ProTileSubbyte, type.shapeAt,
                  "the last extent of a " + dtypeText + " tile is " + text(columns) +
                      ": FP4 packs two per byte, so it must be even");
    type.poisoned = true;
    return;
  }
  if (columns == 1 && isBoxed(layout) && type.layoutGiven) {
    Site at = reader.site(*written.layout);
    reader
        .report(diag::ProTileColumn, at,
                "a one-column tile cannot be made of fractals: [R, 1] tiles are ND or DN, got " +
                    std::string(name(layout)))
        .fix("declare `" + spelledIn(at.module, "DN") + "`", at, spelledIn(at.module, "DN"));
    type.poisoned = true;
    return;
  }
  bool scaleByDefault = space == Space::Mat && *type.dtype == DType::Fp8E8M0 && !type.layoutGiven;
  if (scaleByDefault) {
    return; // what it is for shows where it is moved
  }
  int64_t size = boxBytes(*type.dtype);
  auto refuse = [&](const std::string &why) {
    reader.report(diag::ProTileAlign, type.shapeAt, why);
    type.poisoned = true;
  };
  if (!isBoxed(layout)) {
    bool column = layout == Layout::DN || columns == 1;
    int64_t count = column ? rows : columns;
    if (count * size % 32 != 0) {
      refuse("a " + std::string(column ? "column" : "row") + " of this tile has " + text(count) + " x " + text(size) +
             " = " + text(count * size) + " bytes: it must be a multiple of 32" +
             (column ? "" : "; use `pl.set_validshape` for a narrower window"));
    }
    return;
  }
  int64_t fractal = type.fractal.value_or(defaultFractal(space, *type.dtype, layout));
  Box box = innerBox(layout, fractal, *type.dtype);
  if (columns % box.columns != 0) {
    reader.suspectShape(type, "this tile has " + text(columns) + " columns: the " + boxText(layout, box) + " (" +
                                  dtypeText + "), and columns fill whole boxes");
  } else if (rows % box.rows != 0 && rows != 1 && space != Space::Vec && fractal != 32) {
    reader.suspectShape(type, "this tile has " + text(rows) + " rows: the " + boxText(layout, box) + " (" + dtypeText +
                                  "), and rows fill whole boxes");
  }
}

void checkSmallNumber(KernelReader &reader, const syntax::Keyword &keyword, const Value &value, int64_t most,
                      const Message &kind, const std::string &legal) {
  std::optional<int64_t> given = value.integer();
  if (given && (*given < 0 || *given > most)) {
    reader.report(kind, reader.site(*keyword.value),
                  "`" + std::string(keyword.name) + "` is " + legal + ", got " + text(*given));
  }
}

/// The number of a `pl.TilePad`.
std::optional<int64_t> padOf(const Value &value) {
  constexpr std::array<std::string_view, 4> kPads{"null", "zero", "max", "min"};
  std::string_view path = value.path();
  size_t begin = path.rfind("TilePad.");
  for (size_t i = 0; begin != std::string_view::npos && i < kPads.size(); ++i) {
    if (path.substr(begin + 8) == kPads[i]) {
      return static_cast<int64_t>(i);
    }
  }
  return value.isNone() ? std::optional<int64_t>(0) : value.integer();
}

/// What the accumulator holds; that scales have one dtype is told where they are used. False when it is refused.
bool checkAccDtype(KernelReader &reader, const TileTypeInfo &type, Site at) {
  if (type.space != Space::Acc || !type.dtype || *type.dtype == DType::Fp32 || *type.dtype == DType::Int32) {
    return true;
  }
  reader.report(diag::ProDtypeName, at, "a tile in Acc holds FP32 or INT32, got " + std::string(name(*type.dtype)));
  return false;
}

/// Another argument at the end of a call.
void addArgument(Reports::Entry &entry, Site call, const std::string &argument) {
  uint32_t end = call.range.end > 0 ? call.range.end - 1 : 0; // before its bracket
  entry.fix("add `" + argument + "`", {call.module, {end, end}}, ", " + argument);
}

} // namespace

void declareLayout(Reports::Entry &entry, const TileTypeInfo &type, Layout layout) {
  if (!layoutFits(type, layout)) {
    return;
  }
  std::string wanted = "pl." + std::string(name(layout));
  if (type.layoutAt.module) {
    entry.fix("declare `" + wanted + "`", type.layoutAt, wanted);
  } else {
    addArgument(entry, type.at, "layout=" + wanted);
  }
}

void declareSpace(Reports::Entry &entry, const TileTypeInfo &type, Space space) {
  std::string wanted = "pl.MemorySpace." + std::string(name(space));
  if (type.spaceAt.module) {
    entry.fix("declare `" + wanted + "`", type.spaceAt, wanted);
  } else {
    addArgument(entry, type.at, "target_memory=" + wanted);
  }
}

void addOrder(Reports::Entry &entry, Site call, int64_t first, int64_t second) {
  addArgument(entry, call, "order=[" + text(first) + ", " + text(second) + "]");
}

Value tileType(KernelReader &reader, const Expr &call) {
  TileTypeInfo &type = reader.newTileType();
  type.at = reader.site(call);
  type.shapeAt = type.at;
  Value out;
  out.kind = ValueKind::TileType;
  out.type = &type;
  if (call.children.size() > 1) {
    reader.report(diag::ProTilePositional, type.at,
                  "`pl.TileType` is read from keywords only: pass `shape=` and `dtype=`");
    type.poisoned = true;
    return out;
  }
  unknownKeywords(reader, call, "shape dtype target_memory valid_shape layout fractal pad compact");
  Keywords written;
  Site dtypeAt = type.at;
  bool open = false;
  bool hasShape = false;
  bool hasDtype = false;
  for (const syntax::Keyword &keyword : call.keywords) {
    if (keyword.name.empty()) {
      open = true;
      reader.noteUnknown(
          {keyword.value, Value::unknown("keywords that are unpacked are not followed"), reader.site(*keyword.value)});
      continue;
    }
    Site at = reader.site(*keyword.value);
    if (keyword.name == "shape") {
      hasShape = true;
      written.shape = keyword.value;
      type.shapeAt = at;
      type.shapeKnown = extents(reader, *keyword.value, "shape", false, type.shape);
      type.poisoned = type.poisoned || (!type.shapeKnown && !type.shape.empty());
      continue;
    }
    if (keyword.name == "valid_shape") {
      written.valid = keyword.value;
      continue;
    }
    Value value = reader.evaluate(*keyword.value);
    if (keyword.name == "dtype") {
      hasDtype = true;
      dtypeAt = at;
      type.dtype = dtype(reader, value, at);
      type.poisoned = type.poisoned || (!type.dtype && !value.isUnknown());
      if (value.isUnknown()) {
        reader.noteUnknown({keyword.value, value, at});
      }
    } else if (keyword.name == "target_memory") {
      std::string_view last = member(reader, keyword, value);
      type.space = spaceOf(last);
      type.spaceAt = at;
      type.poisoned = type.poisoned || last == "?";
    } else if (keyword.name == "layout" && !value.isNone()) {
      std::string_view last = member(reader, keyword, value);
      type.layout = layoutOf(last);
      type.layoutGiven = true;
      type.layoutAt = at;
      written.layout = keyword.value;
      type.poisoned = type.poisoned || last == "?";
    } else if (keyword.name == "fractal" && !value.isNone()) {
      type.fractal = value.integer();
      written.fractal = keyword.value;
    } else if (keyword.name == "pad") {
      constexpr const char *kLegal = "`pl.TilePad.null`, `zero`, `max` or `min` (0..3)";
      checkSmallNumber(reader, keyword, value, 3, diag::ProTilePad, kLegal);
      bool one = value.integer() || value.isNone() || value.isUnknown() || value.path().starts_with("pro.TilePad.");
      if (!one) {
        reader.report(diag::ProTilePad, at, std::string("`pad` is ") + kLegal + ", got " + describe(value));
      } else {
        unknownMember(reader, value.path(), *keyword.value);
      }
      type.pad = padOf(value);
    } else if (keyword.name == "compact") {
      checkSmallNumber(reader, keyword, value, 3, diag::ProTileCompact, "0 (null), 1 (normal) or 2 (row_plus_one)");
    }
  }
  if (!open && (!hasShape || !hasDtype)) {
    reader.report(diag::ProTilePositional, type.at,
                  std::string("`pl.TileType` misses ") + (hasShape   ? "`dtype=`"
                                                          : hasDtype ? "`shape=`"
                                                                     : "`shape=` and `dtype=`"));
    type.poisoned = true;
    return out;
  }
  if (open) {
    type.layout = std::nullopt;
    type.layoutGiven = true;
    type.space = std::nullopt;
    return out;
  }
  if (written.valid && !reader.evaluate(*written.valid).isNone()) {
    checkValid(reader, type, *written.valid);
  }
  if (!checkAccDtype(reader, type, dtypeAt) || !checkLayout(reader, type, written)) {
    type.poisoned = true;
    return out;
  }
  checkFractal(reader, type, written);
  if (!type.poisoned) {
    checkShape(reader, type, written);
  }
  return out;
}

} // namespace placid::pro::rules
