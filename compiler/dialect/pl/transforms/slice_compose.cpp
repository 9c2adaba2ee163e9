// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/transforms/slice_compose.h"

#include "compiler/dialect/pl/ir/locations.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr unsigned kMaxDepth = 64; ///< Of slices looked through; below, the window is one of a slice that stays.

Window windowOf(TensorSliceOp slice) {
  MLIRContext *context = slice.getContext();
  return {slice.getSource(), mixedList(slice.getOffsets(), slice.getStaticOffsets(), context),
          SmallVector<int64_t>(slice.getStaticSizes()), mixedList(slice.getValid(), slice.getStaticValid(), context),
          slice.getLoc()};
}

OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(b);
  if (x && y) {
    return builder.getIndexAttr(*x + *y);
  }
  if (x == 0) {
    return b;
  }
  if (y == 0) {
    return a;
  }
  // An integer of another width is carried to the wider index; equal types stay what they are.
  auto value = [&](OpFoldResult entry, Type type) -> Value {
    if (auto attribute = dyn_cast<Attribute>(entry)) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(type, cast<IntegerAttr>(attribute).getInt()));
    }
    auto operand = cast<Value>(entry);
    return operand.getType() == type ? operand : Value(CastOp::create(builder, loc, type, operand));
  };
  auto typeOf = [&](OpFoldResult entry) { return isa<Value>(entry) ? cast<Value>(entry).getType() : Type(); };
  Type type = typeOf(a);
  if (!type || (typeOf(b) && typeOf(b) != type)) {
    type = type ? Type(builder.getIndexType()) : typeOf(b);
  }
  return arith::AddIOp::create(builder, loc, value(a, type), value(b, type)).getResult();
}

/// The location of one composed offset: the part's that matters, spelled as a sum where both do.
ArgLoc composedOffset(const ArgLoc &below, OpFoldResult belowValue, const ArgLoc &above, OpFoldResult aboveValue) {
  if (getConstantIntValue(aboveValue) == 0) {
    return below;
  }
  if (getConstantIntValue(belowValue) == 0) {
    return above;
  }
  ArgLoc out = above;
  out.binding = std::nullopt;
  out.spelling = below.spelling.empty() || above.spelling.empty() ? "" : below.spelling + " + " + above.spelling;
  return out;
}

} // namespace

SmallVector<int64_t> Window::tileValid() const {
  SmallVector<int64_t> out;
  for (OpFoldResult extent : valid) {
    out.push_back(getConstantIntValue(extent).value_or(ShapedType::kDynamic));
  }
  return ArrayRef(out) == ArrayRef(sizes) ? SmallVector<int64_t>() : out;
}

static Window compose(OpBuilder &builder, TensorSliceOp slice, unsigned depth) {
  Window window = windowOf(slice);
  auto inner = slice.getSource().getDefiningOp<TensorSliceOp>();
  if (!inner || !inner.getStaticValid().empty() || depth == kMaxDepth) {
    return window;
  }
  Window below = compose(builder, inner, depth + 1);
  unsigned innerRank = inner.getStaticSizes().size();
  // Which axis of the outer slice each axis of the inner slice's source is; -1 for a dropped one.
  SmallVector<int> outerAxis;
  int next = 0;
  for (unsigned axis = 0; axis < innerRank; ++axis) {
    outerAxis.push_back(llvm::is_contained(inner.getDropDims(), static_cast<int64_t>(axis)) ? -1 : next++);
  }
  if (below.offsets.size() != innerRank || !below.valid.empty()) {
    return window;
  }
  Window out = below;
  out.valid.clear();
  NamedAttrList lists;
  for (StringRef list : {StringRef(kOffsetsArg), StringRef(kSizesArg), StringRef(kValidArg)}) {
    SmallVector<Attribute> entries;
    for (auto [axis, from] : llvm::enumerate(outerAxis)) {
      ArgLoc at = argLoc(below.loc, list, axis);
      if (from >= 0) {
        ArgLoc above = argLoc(slice, list, from);
        at = list == kOffsetsArg ? composedOffset(at, below.offsets[axis], above, window.offsets[from]) : above;
      }
      entries.push_back(makeArgLoc(at.spelling, at.range, at.binding));
    }
    lists.append(list, builder.getArrayAttr(entries));
  }
  for (auto [axis, from] : llvm::enumerate(outerAxis)) {
    if (from >= 0) {
      out.offsets[axis] = add(builder, slice.getLoc(), below.offsets[axis], window.offsets[from]);
      out.sizes[axis] = window.sizes[from];
    }
    if (!window.valid.empty()) {
      out.valid.push_back(from >= 0 ? window.valid[from] : OpFoldResult(builder.getIndexAttr(1)));
    }
  }
  FileLineColRange range = sourceRange(slice.getLoc());
  out.loc = makeAccessLoc(range ? Location(range) : slice.getLoc(), lists.getAttrs());
  return out;
}

Window composedWindow(OpBuilder &builder, TensorSliceOp slice) { return compose(builder, slice, 0); }

} // namespace placid::pl
