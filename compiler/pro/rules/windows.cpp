// SPDX-License-Identifier: Apache-2.0
// What rules share: operands that may be judged, and the window of a tensor that load and store address.
#include "compiler/pro/rules/rules.h"

#include <algorithm>

namespace placid::pro::rules {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

/// A tile of MX scales, which a load fills from pairs of groups.
bool isScales(const TileInfo &tile) {
  return tile.type->dtype == DType::Fp8E8M0 && (tile.type->layout == Layout::ZZ || tile.type->layout == Layout::NN);
}

/// The axes of order=, or the last ones. What is wrong is reported and leaves them empty.
void resolveOrder(KernelReader &reader, const Call &call, Window &window) {
  bool rankKnown = window.tensor->rankKnown;
  auto rank = static_cast<int64_t>(window.tensor->shape.size());
  bool isLoad = call.row->path.starts_with("load");
  if (!window.order.given()) {
    int64_t phase = isScales(*window.tile) && rank >= 3 ? 1 : 0; // the last axis holds the two groups of a pair
    if (rankKnown && rank >= 2) {
      window.axes = {rank - 2 - phase, rank - 1 - phase};
    }
    return;
  }
  std::optional<std::vector<KernelReader::Item>> items = reader.items(window.order);
  if (!items) {
    if (!window.order.value.isUnknown()) {
      reader.report(diag::ProOrderStatic, window.order.at,
                    "`order` must be a list of compile-time constants, got " + describe(window.order.value));
      window.orderRefused = true;
    }
    return;
  }
  auto refuse = [&](const Message &kind, Site at, const std::string &message) {
    reader.report(kind, at, message);
    window.orderRefused = true;
  };
  std::vector<int64_t> axes;
  for (const KernelReader::Item &item : *items) {
    std::optional<int64_t> axis = item.value.integer();
    if (!axis) {
      if (!item.value.isUnknown()) {
        refuse(diag::ProOrderStatic, item.at,
               "`order` selects axes by compile-time constants, got " + describe(item.value));
      }
      return;
    }
    axes.push_back(*axis);
  }
  if (axes.size() != 2) {
    refuse(diag::ProOrderLength, window.order.at,
           "`order` names the two axes that the tile covers, got " + text(static_cast<int64_t>(axes.size())) +
               " entries");
    return;
  }
  if (axes[0] == axes[1]) {
    refuse(diag::ProOrderUnique, window.order.at,
           "the axes of `order` must be unique, got " + text(axes[0]) + " twice");
    return;
  }
  for (size_t i = 0; rankKnown && i < 2; ++i) {
    if (axes[i] < 0 || axes[i] >= rank) {
      refuse(diag::ProOrderRange, (*items)[i].at, "axis " + text(axes[i]) + " is out of range for rank " + text(rank));
      return;
    }
  }
  window.axes = axes;
  if (isLoad && rankKnown && rank >= 3 && axes == std::vector<int64_t>{1, 0} && window.tensor->layout == Layout::ND &&
      window.tile->type->layout != Layout::ZZ && window.tile->type->layout != Layout::NN) {
    reader
        .report(diag::ProOrderRank3, window.order.at,
                "`order=[1, 0]` picks axes 1 and 0 of a rank-" + text(rank) +
                    " tensor: the last two, transposed, are [" + text(rank - 1) + ", " + text(rank - 2) + "]")
        .fix("use [" + text(rank - 1) + ", " + text(rank - 2) + "]", window.order.at,
             "[" + text(rank - 1) + ", " + text(rank - 2) + "]");
  }
}

} // namespace

std::string show(const Extent &extent) { return extent ? text(*extent) : "?"; }

std::string asFactor(const std::string &written) {
  int depth = 0;
  for (size_t i = 0; i < written.size(); ++i) {
    char c = written[i];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth == 0 && c == ' ') {
      if (written.compare(i, 3, " * ") != 0) {
        return "(" + written + ")";
      }
      i += 2;
    }
  }
  return written;
}

std::string hex(int64_t value) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  auto rest = static_cast<uint64_t>(value);
  do {
    out.insert(out.begin(), kDigits[rest % 16]);
    rest /= 16;
  } while (rest > 0);
  return "0x" + out;
}

std::string listed(const std::vector<Layout> &layouts) {
  std::string out;
  for (size_t i = 0; i < layouts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == layouts.size() ? " or " : ", ") + std::string(name(layouts[i]));
  }
  return out;
}

Extent constant(const Value &value) {
  std::optional<int64_t> out = value.integer();
  return out && *out >= 0 ? out : std::nullopt;
}

std::string spelled(const Argument &argument) { return argument.expr ? syntax::spell(*argument.expr) : std::string(); }

TileInfo *usable(KernelReader &reader, const Argument &argument) {
  reader.noteUnknown(argument);
  bool good = argument.given() && argument.value.kind == ValueKind::Tile && argument.value.tile->type &&
              !argument.value.tile->type->poisoned;
  return good ? argument.value.tile : nullptr;
}

const TensorInfo *usableTensor(KernelReader &reader, const Argument &argument) {
  reader.noteUnknown(argument);
  bool good = argument.given() && argument.value.kind == ValueKind::Tensor && !argument.value.tensor->poisoned;
  return good ? argument.value.tensor : nullptr;
}

Window window(KernelReader &reader, const Call &call, const TensorInfo *tensor, const TileInfo *tile) {
  Window out;
  out.tensor = tensor;
  out.tile = tile;
  out.inTiles = call.row->path.ends_with("_tile");
  out.offsets = call.get(out.inTiles ? "tile_offsets" : "offsets");
  out.order = call.get("order");
  resolveOrder(reader, call, out);
  return out;
}

namespace {

/// What one more in an offset moves the window by, in elements; nothing where that is not known.
Extent unitOf(const Window &window, size_t axis) {
  auto ordered = std::find(window.axes.begin(), window.axes.end(), static_cast<int64_t>(axis));
  if (!window.inTiles || ordered == window.axes.end()) {
    return !window.inTiles || !window.axes.empty() ? Extent(1) : std::nullopt;
  }
  // With a transposing order, and for scales, releases differ in which extent of the tile counts.
  bool differs = window.descending() || isScales(*window.tile);
  return differs ? std::nullopt : window.tile->type->extent(static_cast<size_t>(ordered - window.axes.begin()));
}

/// An offset that changes from round to round.
void checkRounds(KernelReader &reader, const Window &window, const KernelReader::Item &item, size_t axis) {
  const TensorInfo &tensor = *window.tensor;
  Extent unit = unitOf(window, axis);
  Index start = unit ? makeIndex(IndexNode::Kind::Mul, item.value.asIndex(), constantIndex(*unit)) : nullptr;
  if (!start) {
    return;
  }
  std::string where = "offsets[" + text(static_cast<int64_t>(axis)) + "]";
  if (std::optional<Loops::Witness> low = reader.loops().below(start, 0)) {
    reader
        .report(diag::ProOffsetNegative, item.at,
                where + " is " + text(low->value) + " with " + low->round + ": an offset is not negative")
        .note(low->loop, "the loop");
    return;
  }
  Extent extent = tensor.shape[axis];
  std::optional<Loops::Witness> high = extent ? reader.loops().above(start, *extent - 1) : std::nullopt;
  if (!high) {
    return;
  }
  bool batch = tensor.layout == Layout::NZ && tensor.shape.size() >= 2 && axis + 2 < tensor.shape.size();
  const Message &kind = batch ? diag::ProNzBatchOffset : *unit != 1 ? diag::ProTileOffsetRange : diag::ProOffsetRange;
  reader
      .report(kind, item.at,
              where + " is " + text(high->value) + " with " + high->round + ": it exceeds dim " +
                  text(static_cast<int64_t>(axis)) + " of `" + tensor.name + "`, size " + text(*extent))
      .note(tensor.annotation, "`" + tensor.name + "` is declared here")
      .note(high->loop, "the loop");
}

} // namespace

void checkOffsets(KernelReader &reader, const Window &window) {
  std::optional<std::vector<KernelReader::Item>> items = reader.items(window.offsets);
  if (!items) {
    reader.noteUnknown(window.offsets);
    if (window.offsets.given() && !window.offsets.value.isUnknown()) {
      reader.report(diag::ProOffsetType, window.offsets.at,
                    "offsets are a list, one integer for each axis of `" + window.tensor->name + "`, got " +
                        describe(window.offsets.value));
    }
    return;
  }
  for (const KernelReader::Item &item : *items) {
    bool number = item.value.integer() || (item.value.kind == ValueKind::Scalar && item.value.real < 0);
    if (!number && !item.value.isUnknown()) {
      reader.report(diag::ProOffsetType, item.at, "an offset is an integer, got " + describe(item.value));
      return;
    }
  }
  const TensorInfo &tensor = *window.tensor;
  if (!tensor.rankKnown) {
    return;
  }
  size_t rank = tensor.shape.size();
  if (items->size() != rank) {
    reader
        .report(diag::ProOffsetRank, window.offsets.at,
                "rank " + text(static_cast<int64_t>(rank)) + " requires exactly " + text(static_cast<int64_t>(rank)) +
                    " offsets, got " + text(static_cast<int64_t>(items->size())) + ": `" + tensor.name + "` is " +
                    showShape(tensor.shape))
        .note(tensor.annotation, "`" + tensor.name + "` is declared here");
    return;
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    std::optional<int64_t> offset = (*items)[axis].value.integer();
    if (!offset) {
      checkRounds(reader, window, (*items)[axis], axis);
      continue;
    }
    std::string where = "offsets[" + text(static_cast<int64_t>(axis)) + "]";
    if (*offset < 0) {
      reader.report(diag::ProOffsetNegative, (*items)[axis].at,
                    where + " is " + text(*offset) + ": an offset is not negative");
      continue;
    }
    Extent extent = tensor.shape[axis];
    if (!extent) {
      continue;
    }
    auto ordered = std::find(window.axes.begin(), window.axes.end(), static_cast<int64_t>(axis));
    bool scaled = window.inTiles && ordered != window.axes.end();
    int64_t start = *offset;
    if (scaled) {
      Extent tileExtent = unitOf(window, axis);
      if (!tileExtent || *offset > INT32_MAX || *tileExtent > INT32_MAX) {
        continue;
      }
      start = *offset * *tileExtent;
    }
    if (start < *extent) {
      continue;
    }
    bool batch = tensor.layout == Layout::NZ && rank >= 2 && axis + 2 < rank;
    if (batch) {
      reader
          .report(diag::ProNzBatchOffset, (*items)[axis].at,
                  where + " is " + text(start) + ": batch axis " + text(static_cast<int64_t>(axis)) + " of `" +
                      tensor.name + "` has " + text(*extent) + " entries")
          .declaredNz(tensor.annotation);
      continue;
    }
    const Message &kind = scaled ? diag::ProTileOffsetRange : diag::ProOffsetRange;
    reader
        .report(kind, (*items)[axis].at,
                where + " is " + text(*offset) + (scaled ? " (absolute offset " + text(start) + ")" : "") +
                    ": it exceeds dim " + text(static_cast<int64_t>(axis)) + " of `" + tensor.name + "`, size " +
                    text(*extent))
        .note(tensor.annotation, "`" + tensor.name + "` is declared here");
  }
}

namespace {

NzAccess accessOf(const Call &call, const TensorInfo &tensor) {
  NzAccess out;
  out.load = call.row->path.starts_with("load");
  out.tensor = tensor.name;
  out.tile = spelled(call.get(out.load ? "dst_tile" : "src_tile"));
  out.at = call.at;
  out.extents = tensor.shape;
  return out;
}

/// As a user reads it, in elements. An offset that is not written out is an element of what is.
std::string offsetText(KernelReader &reader, const Window &window, const KernelReader::Item &item, size_t axis,
                       const Extent &unit) {
  if (!unit) {
    return "?";
  }
  std::string written = item.expr ? syntax::spell(*item.expr) : std::string(reader.textOf(window.offsets.at));
  if (!item.expr) {
    bool named = window.offsets.expr && (window.offsets.expr->kind == syntax::Expr::Kind::Name ||
                                         window.offsets.expr->kind == syntax::Expr::Kind::Attribute);
    written = named ? written + "[" + text(static_cast<int64_t>(axis)) + "]" : "?";
  }
  return *unit == 1 || written == "?" ? written : asFactor(written) + " * " + text(*unit);
}

/// The part in use that changes from round to round, of a transfer with an NZ tensor.
bool partFits(KernelReader &reader, const Call &call, const Window &window, int64_t line) {
  const TileState &now = reader.state(*window.tile);
  for (size_t axis = 0; now.valid == TileState::Valid::Set && now.indices.size() == 2 && axis < 2; ++axis) {
    int64_t unit = axis == 0 ? kFractalRows : line;
    bool changes = axis < now.extents.size() && !now.extents[axis];
    std::optional<Loops::Witness> off = changes ? reader.loops().unaligned(now.indices[axis], unit) : std::nullopt;
    if (off) {
      reader
          .report(diag::ProNzValid, call.at,
                  "the part of the tile in use has " + text(off->value) + (axis == 0 ? " rows" : " columns") +
                      " with " + off->round + ": in a transfer of NZ tensor `" + window.tensor->name +
                      "` it is a multiple of 16 rows and of C0 columns; C0 of " +
                      std::string(name(*window.tensor->dtype)) + " is " + text(line))
          .declaredNz(window.tensor->annotation)
          .note(now.validAt, "set here")
          .note(off->loop, "the loop");
      return false;
    }
  }
  return true;
}

/// Shows the transfer to editors, where its extents are constant.
void noteAccess(KernelReader &reader, const Call &call, const Window &window,
                const std::vector<KernelReader::Item> &offsets, int64_t line, const std::vector<Extent> &used) {
  if (used.size() != 2 || !used[0] || !used[1]) {
    return;
  }
  NzAccess access = accessOf(call, *window.tensor);
  access.c0 = line;
  access.rows = *used[0];
  access.columns = *used[1];
  for (size_t axis = 0; axis < offsets.size(); ++axis) {
    Extent unit = unitOf(window, axis);
    Extent value = offsets[axis].value.integer();
    bool small = value && unit && *value >= 0 && *value <= INT32_MAX && *unit <= INT32_MAX;
    Index index =
        value || !unit ? nullptr : makeIndex(IndexNode::Kind::Mul, offsets[axis].value.asIndex(), constantIndex(*unit));
    access.offsets.push_back({small ? Extent(*value * *unit) : std::nullopt,
                              offsetText(reader, window, offsets[axis], axis, unit), std::move(index)});
  }
  reader.noteAccess(std::move(access));
}

} // namespace

void noteRefused(KernelReader &reader, const Call &call, const Argument &tensor) {
  const TensorInfo *info = tensor.value.kind == ValueKind::Tensor ? tensor.value.tensor : nullptr;
  if (info && info->layout == Layout::NZ && !info->poisoned) {
    reader.noteAccess(accessOf(call, *info));
  }
}

namespace {

std::string nzText(const TensorInfo &tensor) { return "NZ tensor `" + tensor.name + "`"; }

std::string lineOf(const TensorInfo &tensor, int64_t line) {
  return "C0 of " + std::string(name(*tensor.dtype)) + " is " + text(line);
}

/// The axes of a transfer with an NZ tensor: its last two, as they are.
bool axesFit(KernelReader &reader, const Call &call, const Window &window) {
  const TensorInfo &tensor = *window.tensor;
  auto rank = static_cast<int64_t>(tensor.shape.size());
  bool isLoad = call.row->path.starts_with("load");
  std::string tensorText = nzText(tensor);
  if (window.order.given() && window.axes.size() == 2 && tensor.rankKnown) {
    if (window.descending() && isLoad) {
      reader
          .report(diag::ProNzOrder, window.order.at,
                  tensorText + " is loaded with a transposing order: GM NZ does not support order transpose; transpose "
                               "between L1 and "
                               "L0, or pack the buffer transposed")
          .declaredNz(tensor.annotation);
      return false;
    }
    if (window.axes != std::vector<int64_t>{rank - 2, rank - 1} && !window.descending()) {
      reader
          .report(diag::ProNzAxes, window.order.at,
                  "axes " + text(window.axes[0]) + " and " + text(window.axes[1]) + " of " + tensorText +
                      ": only the last two axes are fractal axes, here " + text(rank - 2) + " and " + text(rank - 1))
          .declaredNz(tensor.annotation);
      return false;
    }
  }
  return true;
}

/// The layout of its tile.
bool layoutFits(KernelReader &reader, const Call &call, const Window &window) {
  const TensorInfo &tensor = *window.tensor;
  const TileInfo &tile = *window.tile;
  const TileTypeInfo &type = *tile.type;
  bool isLoad = call.row->path.starts_with("load");
  std::string tensorText = nzText(tensor);
  if (isLoad && tensor.dtype == DType::Fp8E8M0 && isScales(tile)) {
    reader
        .report(diag::ProMxScaleGm, call.at,
                "scale tensor `" + tensor.name +
                    "` is declared NZ: MX scales lie in global memory as plain ND, pairs of groups last, and the load "
                    "makes the order of the tile")
        .note(type.at, "the scale tile")
        .fix("declare `pl.ND`", tensor.annotation, "pl.ND");
    return false;
  }
  if (type.layout && *type.layout != Layout::NZ) {
    std::string got(name(*type.layout));
    auto report = reader.report(diag::ProNzTileLayout, call.at,
                                tensorText + (isLoad ? " is loaded into" : " is stored from") + " a tile of layout " +
                                    got + ": GM NZ only moves to and from NZ tiles, got " + got);
    report.declaredNz(tensor.annotation);
    report.note(type.at, "the tile is " + got + (type.layoutGiven ? "" : " by default"));
    declareLayout(report, type, Layout::NZ);
    return false;
  }
  return true;
}

/// The tile, and the part of it that is in use, in whole fractals.
bool extentsFit(KernelReader &reader, const Call &call, const Window &window, int64_t line) {
  const TensorInfo &tensor = *window.tensor;
  const TileInfo &tile = *window.tile;
  const TileTypeInfo &type = *tile.type;
  std::string tensorText = nzText(tensor);
  std::string lineText = lineOf(tensor, line);
  Extent rows = type.extent(0);
  Extent columns = type.extent(1);
  if (type.shape.size() == 2 && rows && *rows % kFractalRows != 0) {
    reader.settleShape(type);
    reader
        .report(diag::ProNzTileShape, call.at,
                "the tile has " + text(*rows) + " rows: a transfer of " + tensorText + " moves multiples of 16 rows")
        .declaredNz(tensor.annotation)
        .note(type.shapeAt, "its shape");
    return false;
  }
  if (type.shape.size() == 2 && columns && *columns % line != 0) {
    reader.settleShape(type);
    reader
        .report(diag::ProNzTileShape, call.at,
                "the tile has " + text(*columns) + " columns: a transfer of " + tensorText +
                    " moves multiples of C0; " + lineText)
        .declaredNz(tensor.annotation)
        .note(type.shapeAt, "its shape");
    return false;
  }
  std::vector<Extent> valid = reader.validOf(tile);
  bool wrong =
      valid.size() == 2 && ((valid[0] && *valid[0] % kFractalRows != 0) || (valid[1] && *valid[1] % line != 0));
  if (wrong) {
    reader
        .report(diag::ProNzValid, call.at,
                "the part of the tile in use is " + show(valid[0]) + " x " + show(valid[1]) + ": in a transfer of " +
                    tensorText + " it is a multiple of 16 rows and of C0 columns; " + lineText)
        .declaredNz(tensor.annotation)
        .note(reader.state(tile).validAt.module ? reader.state(tile).validAt : type.at, "set here");
    return false;
  }
  return partFits(reader, call, window, line);
}

/// The column at which it begins.
void checkColumn(KernelReader &reader, const Window &window, const std::vector<KernelReader::Item> &items,
                 int64_t line) {
  const TensorInfo &tensor = *window.tensor;
  auto rank = static_cast<int64_t>(tensor.shape.size());
  std::string tensorText = nzText(tensor);
  std::string lineText = lineOf(tensor, line);
  const KernelReader::Item &last = items.back();
  Extent columns = window.tile->type->extent(1);
  Extent offset = constant(last.value);
  if (offset && window.inTiles) {
    offset = columns && *offset <= INT32_MAX && *columns <= INT32_MAX ? Extent(*offset * *columns) : std::nullopt;
  }
  if (offset && *offset % line != 0) {
    std::string unit = isFp4(*tensor.dtype) ? "C0 of FP4 is 64 logical elements" : lineText;
    auto report = reader.report(diag::ProNzOffset, last.at,
                                "the column offset " + text(*offset) + " of " + tensorText +
                                    " is not a multiple of C0=" + text(line) + ": " + unit);
    report.declaredNz(tensor.annotation);
    if (!window.inTiles) {
      int64_t below = *offset / line * line;
      report.fix("use " + text(below), last.at, text(below));
      report.fix("use " + text(below + line), last.at, text(below + line));
    }
    return;
  }
  Extent unit = unitOf(window, static_cast<size_t>(rank - 1));
  Index start = last.value.integer() || !unit
                    ? nullptr
                    : makeIndex(IndexNode::Kind::Mul, last.value.asIndex(), constantIndex(*unit));
  if (std::optional<Loops::Witness> off = reader.loops().unaligned(start, line)) {
    reader
        .report(diag::ProNzOffset, last.at,
                "the column offset of " + tensorText + " is " + text(off->value) + " with " + off->round +
                    ", not a multiple of C0=" + text(line) + ": " + lineText)
        .declaredNz(tensor.annotation)
        .note(off->loop, "the loop");
  }
}

} // namespace

bool checkNzWindow(KernelReader &reader, const Call &call, const Window &window) {
  const TensorInfo &tensor = *window.tensor;
  if (window.orderRefused || !axesFit(reader, call, window) || !layoutFits(reader, call, window)) {
    return false;
  }
  if (!tensor.dtype || c0(*tensor.dtype) == 0) {
    return true;
  }
  int64_t line = c0(*tensor.dtype);
  if (!extentsFit(reader, call, window, line)) {
    return false;
  }
  std::optional<std::vector<KernelReader::Item>> items = reader.items(window.offsets);
  if (!items || !tensor.rankKnown || items->size() != tensor.shape.size() || items->size() < 2) {
    return true;
  }
  noteAccess(reader, call, window, *items, line, reader.validOf(*window.tile));
  checkColumn(reader, window, *items, line);
  return true;
}

} // namespace placid::pro::rules
