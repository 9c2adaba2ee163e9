// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that deals with single elements of tensors and tiles, which the scalar unit reads and
// writes.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

TileType tileType(Value value) { return value ? dyn_cast<TileType>(value.getType()) : TileType(); }

} // namespace

Value KernelConverter::addIndex(Location loc, Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    return kernel_->constantIndex(*left + *right);
  }
  if (left == 0) {
    return rhs;
  }
  return right == 0 ? lhs : arith::AddIOp::create(kernel_->body(), loc, lhs, rhs).getResult();
}

Value KernelConverter::multiplyIndex(Location loc, Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    return kernel_->constantIndex(*left * *right);
  }
  if (left == 1 || right == 0) {
    return rhs;
  }
  return right == 1 || left == 0 ? lhs : arith::MulIOp::create(kernel_->body(), loc, lhs, rhs).getResult();
}

Value KernelConverter::gmOffset(Operation *op, Value tensor, ArrayRef<OpFoldResult> indices, unsigned &argument) {
  Location loc = locOf(op);
  SmallVector<Value> at;
  for (OpFoldResult index : indices) {
    at.push_back(extent(loc, index));
    if (!at.back()) {
      return {};
    }
  }
  while (auto slice = tensor.getDefiningOp<TensorSliceOp>()) {
    SmallVector<OpFoldResult> offsets = mixedList(slice.getOffsets(), slice.getStaticOffsets(), op->getContext());
    SmallVector<Value> outer;
    unsigned next = 0;
    for (auto [axis, offset] : llvm::enumerate(offsets)) {
      Value begin = extent(loc, offset);
      const bool dropped = llvm::is_contained(slice.getDropDims(), static_cast<int64_t>(axis));
      if (!begin || (!dropped && next >= at.size())) {
        return {};
      }
      outer.push_back(dropped ? begin : addIndex(loc, begin, at[next++]));
    }
    at = std::move(outer);
    tensor = slice.getSource();
  }
  auto root = tensors_.find(tensor);
  auto type = cast<TensorType>(tensor.getType());
  if (root == tensors_.end() || at.size() != type.getRank()) {
    (void)notLowered(op, "an element of this tensor");
    return {};
  }
  SmallVector<Value> strides;
  std::string why;
  if (type.isNz() || !kernel_->strides(type, strides, why)) {
    (void)notLowered(op, type.isNz() ? "an element of an NZ tensor" : why);
    return {};
  }
  argument = root->second;
  Value sum = kernel_->constantIndex(0);
  for (auto [index, stride] : llvm::zip_equal(at, strides)) {
    sum = addIndex(loc, sum, multiplyIndex(loc, index, stride));
  }
  return sum;
}

Value KernelConverter::tileOffset(Operation *op, TileType type, ArrayRef<OpFoldResult> indices) {
  if (type.getRank() != 2 || indices.empty() || indices.size() > 2) {
    (void)notLowered(op, "an element of this tile");
    return {};
  }
  Location loc = locOf(op);
  Value column = extent(loc, indices.back());
  Value row = indices.size() == 2 ? extent(loc, indices.front()) : kernel_->constantIndex(0);
  if (!row || !column) {
    return {};
  }
  return addIndex(loc, multiplyIndex(loc, row, kernel_->constantIndex(type.getShape()[1])), column);
}

LogicalResult KernelConverter::convertRead(ReadOp read) {
  SmallVector<OpFoldResult> indices = mixedList(read.getIndices(), read.getStaticIndices(), source_.getContext());
  Type type = read.getResult().getType();
  Location loc = namedLoc(locOf(read), nameOf(read.getResult(), "element"), "");
  if (TileType tile = tileType(read.getSource())) {
    if (tile.getMem() != Mem::Vec) {
      return notLowered(read, "an element of a tile in " + plName(tile.getMem()));
    }
    noteCore(Mem::Vec, read);
    Value offset = tileOffset(read, tile, indices);
    Value buffer = offset ? handle(read.getSource()) : Value();
    if (!buffer) {
      return failure();
    }
    scalars_[read.getResult()] = pto::TGetValOp::create(kernel_->body(), loc, type, buffer, offset);
    return success();
  }
  unsigned argument = 0;
  Value offset = gmOffset(read, read.getSource(), indices, argument);
  if (!offset) {
    return failure();
  }
  Value pointer = kernel_->argument(argument);
  if (cast<pto::PtrType>(pointer.getType()).getElementType() != type) {
    return notLowered(read, "reading an element of this dtype");
  }
  scalars_[read.getResult()] = pto::LoadScalarOp::create(kernel_->body(), loc, type, pointer, offset);
  return success();
}

LogicalResult KernelConverter::convertWrite(GenericOp op) {
  const bool onChip = op.getName() == "tile.write";
  Value target = op.getArgument(onChip ? "tile" : "tensor");
  SmallVector<OpFoldResult> indices = op.getList("indices");
  if (indices.empty()) {
    if (auto single = dyn_cast_or_null<IntegerAttr>(op.getConfig("indices"))) {
      indices.push_back(single);
    } else if (Value index = op.getArgument("indices")) {
      indices.push_back(index);
    }
  }
  Location loc = locOf(op);
  Builder builder(op.getContext());
  if (onChip) {
    Value result = op->getNumResults() == 1 ? op->getResult(0) : target;
    noteCore(Mem::Vec, op);
    Value offset = tileOffset(op, tileType(target), indices);
    Value buffer = offset ? handle(result) : Value();
    Value value = buffer ? elementScalar(op, "value", cast<pto::TileBufType>(buffer.getType()).getDtype()) : Value();
    if (!value) {
      return failure();
    }
    pto::InstrOp::create(kernel_->body(), loc, builder.getStringAttr("tsetval"), ValueRange{offset, value},
                         ValueRange{buffer}, IntegerAttr(), DictionaryAttr(), DictionaryAttr());
    return success();
  }
  if (op->getNumResults() == 1 && failed(joinTensor(op, op->getResult(0), {target}))) {
    return failure();
  }
  unsigned argument = 0;
  Value offset = gmOffset(op, target, indices, argument);
  Value pointer = offset ? kernel_->argument(argument) : Value();
  Value value = pointer ? elementScalar(op, "value", cast<pto::PtrType>(pointer.getType()).getElementType()) : Value();
  if (!value) {
    return failure();
  }
  if (value.getType() != cast<pto::PtrType>(pointer.getType()).getElementType()) {
    return notLowered(op, "writing an element of this dtype");
  }
  pto::StoreScalarOp::create(kernel_->body(), loc, value, pointer, offset);
  publish(op, target, {});
  return success();
}

} // namespace placid::conversion
