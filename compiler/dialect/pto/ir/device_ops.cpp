// SPDX-License-Identifier: Apache-2.0
// Verifiers of the operations between devices and on arrays of scalars. A complaint here is a fault of the lowering,
// never of the user.
#include "compiler/dialect/pto/ir/pto.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace placid::pto {

namespace {

LogicalResult checkSignal(Operation *op, PartitionTensorViewType signal, StringRef how, ArrayRef<StringRef> ways) {
  if (!signal.getElementType().isInteger(32)) {
    return op->emitOpError("needs a signal of 32 bits, got ") << signal.getElementType();
  }
  if (llvm::any_of(signal.getShape(), [](int64_t extent) { return extent != 1; })) {
    return op->emitOpError("needs a window of one element");
  }
  return llvm::is_contained(ways, how) ? success() : op->emitOpError("does not know ") << how;
}

LogicalResult checkElement(Operation *op, LocalArrayType array, Type type) {
  return array.getElementType() == type
             ? success()
             : op->emitOpError("takes an element of ") << array.getElementType() << ", got " << type;
}

} // namespace

LogicalResult AddPtrOp::verify() {
  return getPtr().getType() == getResult().getType() ? success() : emitOpError("changes the type of a pointer");
}

LogicalResult DeclareLocalArrayOp::verify() {
  LocalArrayType type = getResult().getType();
  return type.getExtent() > 0 && isa<IntegerType, IndexType>(type.getElementType())
             ? success()
             : emitOpError("needs at least one integer element");
}

LogicalResult LocalArrayGetOp::verify() { return checkElement(*this, getArray().getType(), getValue().getType()); }
LogicalResult LocalArraySetOp::verify() { return checkElement(*this, getArray().getType(), getValue().getType()); }
LogicalResult BarrierAllOp::verify() { return success(); }
LogicalResult FenceOp::verify() { return success(); }
LogicalResult CacheInvalidOp::verify() { return success(); }

LogicalResult TNotifyOp::verify() { return checkSignal(*this, getSignal().getType(), getHow(), {"set", "atomic_add"}); }
LogicalResult TWaitOp::verify() { return checkSignal(*this, getSignal().getType(), getHow(), {"eq", "ge"}); }

} // namespace placid::pto
