// SPDX-License-Identifier: Apache-2.0
// Type rules of what moves, cuts and reshapes tensors and tiles, a function a rule.
#include "compiler/frontend/op_call.h"

#include <array>
#include <functional>
#include <set>

namespace placid::frontend {

using ops::Rule;
using pl::DType;

namespace {

/// The number of elements; nullopt when an extent is not known or the product does not fit.
std::optional<int64_t> countOf(llvm::ArrayRef<mlir::Attribute> dims) {
  int64_t out = 1;
  for (mlir::Attribute dim : dims) {
    auto number = mlir::dyn_cast<mlir::IntegerAttr>(dim);
    if (!number || __builtin_mul_overflow(out, number.getInt(), &out)) {
      return std::nullopt;
    }
  }
  return out;
}

} // namespace

std::optional<OpResults> KernelBuilder::OpCall::elementWritten() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  const Argument &list = *find("indices");
  size_t given = list.isList ? list.list.size() : 1;
  if (given != out.rank()) {
    builder.reporter_.report(diag::Rank, list.expr->range, what(),
                             "takes one index an axis, got " + std::to_string(given) + " for " + describe(name));
    return std::nullopt;
  }
  const Val &target = find(name)->value;
  if (list.isList && !builder.elementInBounds(target, list.list, *list.expr)) {
    return std::nullopt;
  }
  const Val &value = find("value")->value;
  DType dtype = !value.isConst()           ? value.dtype
                : value.constant.isFloat() ? DType::F32
                : value.constant.isBool()  ? DType::Bool
                                           : DType::Index;
  if (value.kind != Val::Kind::Task && dtype != out.dtype) {
    std::string made = value.isConst()
                           ? "`pl.const(" + show(value.constant) + ", pl." + pl::plName(out.dtype).str() + ")` is one"
                           : "convert it with `pl.cast`";
    return typeFault("value", "the value has the dtype of the elements, pl." + pl::plName(out.dtype).str() +
                                  ", got pl." + pl::plName(dtype).str() + ": " + made);
  }
  return like(name);
}

std::optional<OpResults> KernelBuilder::OpCall::filled() {
  bool tile = kind == ops::FormKind::Tile;
  Rule rule = form().rule;
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  if (text("pad_value") == "null") {
    return typeFault("pad_value", "fills with zero, max or min, not with `null`");
  }
  out.valid.clear();
  out.ragged = false;
  if (rule == Rule::FillPadExpand) {
    auto dims = extents("shape", true);
    if (!dims) {
      return std::nullopt;
    }
    bool fits = dims->size() == out.rank();
    for (size_t axis = 0; fits && axis < out.rank(); ++axis) {
      std::optional<int64_t> before = out.extent(axis);
      fits = !before || mlir::cast<mlir::IntegerAttr>((*dims)[axis]).getInt() >= *before;
    }
    if (!fits) {
      return shapeFault("shape", "no extent becomes smaller, got " + showExtents(*dims));
    }
    out.dims = *dims;
  }
  out.mem = tile ? resultMem() : out.mem;
  return one(out);
}

bool KernelBuilder::OpCall::liveSlice(Shaped &out) {
  if (const Argument *valid = find("valid_shape")) {
    if (valid->list.size() != out.rank()) {
      builder.reporter_.report(diag::Rank, rangeOf("valid_shape"), what(),
                               "takes one live extent an axis of " + describe(form().parameters[0].name));
      return false;
    }
    for (auto [axis, entry] : llvm::enumerate(valid->list)) {
      int64_t live = entry.value.isInt() ? entry.value.constant.integer : 0;
      if (live < 0 || live > *out.extent(axis)) {
        shapeFault("valid_shape", std::to_string(live) + " is not within the " + std::to_string(*out.extent(axis)) +
                                      " of axis " + std::to_string(axis));
        return false;
      }
    }
    out.valid.clear();
    for (const Entry &entry : find("valid_shape")->list) {
      out.valid.push_back(entry.value.isInt() ? pl::extentAttr(context(), entry.value.constant.integer)
                                              : pl::extentAttr(context(), "?"));
    }
  } else if (!out.valid.empty()) {
    // What is left of a live part is known where it was all of an axis, and where both are constants.
    Shaped source = shaped(form().parameters[0].name);
    const Argument *begins = find("offset");
    for (size_t axis = 0; axis < out.rank(); ++axis) {
      auto live = mlir::dyn_cast<mlir::IntegerAttr>(source.valid[axis]);
      const bool constant = live && begins && axis < begins->list.size() && begins->list[axis].value.isInt();
      const int64_t rest = constant ? live.getInt() - begins->list[axis].value.constant.integer : 0;
      out.valid[axis] = source.valid[axis] == source.dims[axis] ? out.dims[axis]
                        : rest > 0 ? pl::extentAttr(context(), std::min(rest, *out.extent(axis)))
                                   : pl::extentAttr(context(), "?");
    }
  }
  return true;
}

bool KernelBuilder::OpCall::dropAxes(Shaped &out) {
  if (const Argument *drop = find("drop_dims")) {
    std::set<int64_t, std::greater<>> axes;
    for (const Entry &entry : drop->list) {
      int64_t axis = entry.value.isInt() ? entry.value.constant.integer : -1;
      if (axis < 0 || axis >= static_cast<int64_t>(out.rank()) || !axes.insert(axis).second ||
          !isExtent(out.dims[static_cast<size_t>(axis)], 1)) {
        builder.reporter_.report(diag::Rank, rangeOf("drop_dims"), what(),
                                 "drops axes of extent 1, each once, counted from the front");
        return false;
      }
    }
    // Tiles keep two axes.
    for (int64_t dropped : axes) {
      auto axis = static_cast<size_t>(dropped);
      if (out.rank() > 2) {
        out.dims.erase(out.dims.begin() + static_cast<long>(axis));
        if (!out.valid.empty()) {
          out.valid.erase(out.valid.begin() + static_cast<long>(axis));
        }
      }
    }
  }
  return true;
}

std::optional<OpResults> KernelBuilder::OpCall::sliced() {
  Rule rule = form().rule;
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  auto dims = extents("shape", true);
  if (!dims) {
    return std::nullopt;
  }
  std::string_view offsetName = rule == Rule::Slice ? "offset" : "shape";
  if (dims->size() != out.rank() || find(offsetName)->list.size() != out.rank()) {
    return rankFault(dims->size() != out.rank() ? "shape" : offsetName,
                     "takes one extent and one offset an axis of " + describe(name));
  }
  for (size_t axis = 0; axis < out.rank(); ++axis) {
    std::optional<int64_t> begin =
        rule == Rule::Slice ? (find("offset")->list[axis].value.isInt()
                                   ? std::optional<int64_t>(find("offset")->list[axis].value.constant.integer)
                                   : std::nullopt)
                            : integer(axis == 0 ? "index_row" : "index_col");
    int64_t extent = mlir::cast<mlir::IntegerAttr>((*dims)[axis]).getInt();
    int64_t end = 0;
    if (begin && *begin < 0) {
      builder.reporter_.report(diag::NegativeOffset, rangeOf(offsetName), static_cast<int64_t>(axis),
                               syntax::spell(*find(name)->expr), *begin);
      return std::nullopt;
    }
    if (begin && !__builtin_add_overflow(*begin, extent, &end) && end > *out.extent(axis)) {
      builder.reporter_.report(diag::Bounds, rangeOf(offsetName), end, static_cast<int64_t>(axis),
                               syntax::spell(*find(name)->expr), *out.extent(axis));
      return std::nullopt;
    }
  }
  out.dims = *dims;
  if (!liveSlice(out) || !dropAxes(out)) {
    return std::nullopt;
  }
  out.mem = resultMem();
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::validShapeSet() {
  bool tile = kind == ops::FormKind::Tile;
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  if (out.rank() != 2) {
    return rankFault(name, "needs rows and columns");
  }
  llvm::SmallVector<mlir::Attribute> valid;
  constexpr std::array<std::string_view, 2> kParts{"valid_rows", "valid_cols"};
  for (auto [axis, part] : llvm::enumerate(kParts)) {
    std::optional<int64_t> live = integer(part);
    std::optional<int64_t> extent = out.extent(axis);
    if (live && (*live < 0 || (extent && *live > *extent))) {
      return shapeFault(part, std::to_string(*live) + " is not within the " + showExtents({out.dims[axis]}) +
                                  " of axis " + std::to_string(axis));
    }
    valid.push_back(live ? pl::extentAttr(context(), *live) : pl::extentAttr(context(), "?"));
  }
  if (tile) {
    out.valid = valid;
  } else {
    out.ragged = valid != out.dims;
  }
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::moved() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  out.mem = resultMem();
  out.transposed = false;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::joined() {
  bool tile = kind == ops::FormKind::Tile;
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  Shaped right = shaped("src1");
  for (std::string_view side : {"src0", "src1"}) {
    if (shaped(side).rank() != 2) {
      return rankFault(side, "joins matrices of rows and columns");
    }
  }
  if (right.dtype != out.dtype) {
    return typeFault("src1", "joins operands of one dtype: " + operandsText());
  }
  if (extentsDiffer(out.dims[0], right.dims[0])) {
    return shapeFault("src1", "the rows of both are equal");
  }
  std::optional<int64_t> a = out.extent(1);
  std::optional<int64_t> b = right.extent(1);
  auto word = [](mlir::Attribute dim) {
    std::string shown = showExtents({dim});
    return shown.substr(1, shown.size() - 2);
  };
  out.dims[1] = a && b ? pl::extentAttr(context(), *a + *b)
                       : pl::extentAttr(context(), word(out.dims[1]) + " + " + word(right.dims[1]));
  out.valid.clear();
  out.mem = tile ? resultMem() : out.mem;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::transposed() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  auto rank = static_cast<int64_t>(out.rank());
  int64_t axes[2] = {*integer("axis1"), *integer("axis2")};
  constexpr std::array<std::string_view, 2> kAxes{"axis1", "axis2"};
  for (auto [i, part] : llvm::enumerate(kAxes)) {
    if (axes[i] < -rank || axes[i] >= rank) {
      return rankFault(part, std::to_string(axes[i]) + " is not an axis of " + describe(name));
    }
    axes[i] = axes[i] < 0 ? axes[i] + rank : axes[i];
  }
  if (axes[0] == axes[1]) {
    return typeFault("axis2", "swaps two different axes, got " + std::to_string(axes[0]) + " twice");
  }
  std::swap(out.dims[static_cast<size_t>(axes[0])], out.dims[static_cast<size_t>(axes[1])]);
  if (!out.valid.empty()) {
    std::swap(out.valid[static_cast<size_t>(axes[0])], out.valid[static_cast<size_t>(axes[1])]);
  }
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::expanded() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  Shaped target = shaped("target");
  if (out.rank() != 3 || target.rank() != 3) {
    return rankFault(out.rank() != 3 ? name : "target", "expands tensors of rank 3");
  }
  unsigned grown = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    bool grows = extentsDiffer(out.dims[axis], target.dims[axis]);
    grown += grows ? 1 : 0;
    if ((grows && !isExtent(out.dims[axis], 1)) || grown > 1) {
      return shapeFault("target", "expands one axis of extent 1");
    }
  }
  out.dims = target.dims;
  out.dtype = promote(out.dtype, target.dtype);
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::reinterpreted() {
  bool tile = kind == ops::FormKind::Tile;
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  DType dtype = dtypeOf("dtype").value_or(out.dtype);
  auto bits = [](DType d) { return static_cast<int64_t>(pl::bitWidth(d)); };
  if (find("shape")) {
    auto dims = extents("shape", tile);
    if (!dims) {
      return std::nullopt;
    }
    std::optional<int64_t> before = countOf(out.dims);
    std::optional<int64_t> after = countOf(*dims);
    int64_t held = 0;
    int64_t wanted = 0;
    bool known = before && after && !__builtin_mul_overflow(*before, bits(out.dtype), &held) &&
                 !__builtin_mul_overflow(*after, bits(dtype), &wanted);
    if (known && held != wanted) {
      return shapeFault("shape", "the bytes stay, but " + showExtents(*dims) + " of pl." + pl::plName(dtype).str() +
                                     " has another size");
    }
    out.dims = *dims;
  } else if (std::optional<int64_t> last = out.rank() > 0 ? out.extent(out.rank() - 1) : std::nullopt) {
    int64_t size = *last * bits(out.dtype);
    if (size % bits(dtype) != 0) {
      return shapeFault("dtype", "a row of " + std::to_string(size / 8) + " bytes does not hold whole elements of pl." +
                                     pl::plName(dtype).str());
    }
    out.dims.back() = pl::extentAttr(context(), size / bits(dtype));
  }
  if (bits(dtype) != bits(out.dtype) || find("shape")) {
    out.valid.clear();
  }
  out.dtype = dtype;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::viewed() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  if (find("shape")) {
    auto dims = extents("shape", false);
    if (!dims) {
      return std::nullopt;
    }
    std::optional<int64_t> before = countOf(out.dims);
    std::optional<int64_t> after = countOf(*dims);
    if (before && after && *before != *after) {
      return shapeFault("shape", "the element count changes to that of " + showExtents(*dims));
    }
    out.dims = *dims;
    out.valid.clear();
  }
  pl::TensorType source = find(name)->value.tensorType();
  const Argument *layout = find("layout");
  pl::Layout order = layout ? layout->constant.layout : source.getLayout();
  if (!find("shape") && order != source.getLayout()) {
    // The same bytes in another order of the last two axes.
    if (out.rank() < 2) {
      return rankFault(name, "has the two axes that a layout is about");
    }
    std::swap(out.dims[out.rank() - 2], out.dims[out.rank() - 1]);
    out.valid.clear();
  }
  OpResults made = one(out);
  auto type = mlir::cast<pl::TensorType>(made[0].type);
  made[0].type = pl::TensorType::get(context(), type.getDims(), type.getDtype(), order, {}, type.getValid(),
                                     source.getDistributed());
  return made;
}

std::optional<OpResults> KernelBuilder::OpCall::assembled() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  Shaped source = shaped("source");
  if (find("offset")->list.size() != out.rank()) {
    return rankFault("offset", "takes one offset an axis of " + describe(name));
  }
  if (source.rank() > out.rank()) {
    return rankFault("source", "the source has more axes than " + describe(name));
  }
  bool narrows = source.dtype == DType::F32 && source.mem == pl::Mem::Acc && out.mem == pl::Mem::Mat &&
                 (out.dtype == DType::BF16 || out.dtype == DType::F16);
  if (source.dtype != out.dtype && !narrows) {
    return typeFault("source", "takes tiles of one dtype: " + operandsText());
  }
  return like(name);
}

std::optional<OpResults> KernelBuilder::OpCall::view() {
  switch (form().rule) {
  case Rule::Write:
    return elementWritten();
  case Rule::FillPad:
  case Rule::FillPadExpand:
    return filled();
  case Rule::Extract:
  case Rule::Slice:
    return sliced();
  case Rule::SetValidShape:
    return validShapeSet();
  case Rule::Move:
    return moved();
  case Rule::Concat:
    return joined();
  case Rule::Transpose:
    return transposed();
  case Rule::ExpandClone:
    return expanded();
  case Rule::ReinterpretView:
    return reinterpreted();
  case Rule::View:
    return viewed();
  case Rule::Assemble:
    return assembled();
  case Rule::AivShard:
  case Rule::AicGather:
    return splitResult();
  default:
    return unhandled();
  }
}

std::optional<int64_t> KernelBuilder::OpCall::laneAxis() const {
  // SplitMode: UP_DOWN splits rows, LEFT_RIGHT columns, NONE nothing. A call may say it itself, by number.
  std::optional<int64_t> given = integer("split");
  if (given ? *given == 1 : builder.splitMode_ == "UP_DOWN") {
    return 0;
  }
  if (given ? *given == 2 : builder.splitMode_ == "LEFT_RIGHT") {
    return 1;
  }
  return std::nullopt;
}

std::optional<OpResults> KernelBuilder::OpCall::splitResult() {
  Shaped out = shaped(form().parameters[0].name);
  std::optional<int64_t> given = integer("split");
  if (given && (*given < 0 || *given > 2)) {
    return typeFault("split", "is 0 for no split, 1 for rows, 2 for columns, got " + std::to_string(*given));
  }
  const std::optional<int64_t> axis = laneAxis();
  if (axis && out.rank() != 2) {
    return rankFault(form().parameters[0].name, "splits rows and columns");
  }
  if (axis) {
    std::optional<int64_t> extent = out.extent(*axis);
    bool halves = form().rule == Rule::AivShard;
    // Both lanes have room for the larger half; of an odd extent the second one uses one less.
    out.dims[*axis] =
        extent ? pl::extentAttr(context(), halves ? (*extent + 1) / 2 : *extent * 2) : pl::extentAttr(context(), "?");
    out.valid.clear();
    if (extent && halves && *extent % 2 != 0) {
      out.ragged = true;
      if (out.isTile) {
        out.valid = out.dims;
        out.valid[*axis] = pl::extentAttr(context(), "?");
      }
    }
  }
  out.mem = out.isTile ? resultMem() : out.mem;
  return one(out);
}

} // namespace placid::frontend
