// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/transforms/fold_offsets.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

Value asIndex(OpBuilder &builder, Location loc, OpFoldResult entry) {
  if (auto attribute = dyn_cast<Attribute>(entry)) {
    return arith::ConstantIndexOp::create(builder, loc, cast<IntegerAttr>(attribute).getInt());
  }
  auto value = cast<Value>(entry);
  return value.getType().isIndex() ? value : Value(CastOp::create(builder, loc, builder.getIndexType(), value));
}

} // namespace

OpFoldResult foldOffsets(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> extents) {
  OpFoldResult folded = builder.getIndexAttr(0);
  for (auto [axis, offset] : llvm::enumerate(offsets)) {
    std::optional<int64_t> next = getConstantIntValue(offset);
    std::optional<int64_t> soFar = getConstantIntValue(folded);
    int64_t extent = axis == 0 ? 1 : extents[axis];
    if (soFar) {
      folded = builder.getIndexAttr(*soFar * extent);
    } else if (extent != 1) {
      folded = arith::MulIOp::create(builder, loc, asIndex(builder, loc, folded),
                                     arith::ConstantIndexOp::create(builder, loc, extent))
                   .getResult();
    }
    soFar = getConstantIntValue(folded);
    if (soFar && next) {
      folded = builder.getIndexAttr(*soFar + *next);
    } else if (soFar == 0) {
      folded = offset;
    } else if (next != 0) {
      folded =
          arith::AddIOp::create(builder, loc, asIndex(builder, loc, folded), asIndex(builder, loc, offset)).getResult();
    }
  }
  return folded;
}

OpFoldResult divideWhole(OpBuilder &builder, Location loc, OpFoldResult value, int64_t divisor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return builder.getIndexAttr(*constant / divisor);
  }
  auto whole = cast<Value>(value);
  Value factor = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(whole.getType(), divisor));
  return arith::FloorDivSIOp::create(builder, loc, whole, factor).getResult();
}

} // namespace placid::pl
