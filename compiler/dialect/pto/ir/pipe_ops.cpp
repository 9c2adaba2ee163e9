// SPDX-License-Identifier: Apache-2.0
// Verifiers of the operations between the cores of a kernel: that a tile goes the way its memory allows, fits its slot,
// and is popped from a buffer of this core. A complaint here is a fault of the lowering, never of the user.
#include "compiler/dialect/pto/ir/pto.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace placid::pto {

namespace {

LogicalResult checkCore(Operation *op, KernelKind kind) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto given = function ? function->getAttrOfType<KernelKindAttr>(kKernelKindAttr) : KernelKindAttr();
  if (given && given.getValue() != kind) {
    return op->emitOpError("belongs to a kernel of kind ") << stringifyEnum(kind);
  }
  return success();
}

int64_t tileBytes(TileBufType tile) { return tile.getRows() * tile.getCols() * elementBits(tile.getDtype()) / 8; }

/// The tile fits the slots that the function's pipe was opened with.
LogicalResult checkSlot(Operation *op, TileBufType tile) {
  auto function = op->getParentOfType<func::FuncOp>();
  std::optional<int64_t> slot;
  function.walk([&](Operation *other) {
    if (auto cube = dyn_cast<AicInitializePipeOp>(other)) {
      slot = cube.getSlotSize();
    } else if (auto vector = dyn_cast<AivInitializePipeOp>(other)) {
      slot = vector.getSlotSize();
    }
  });
  if (!slot) {
    return op->emitOpError("needs a pipe that the function opens");
  }
  if (tileBytes(tile) > *slot) {
    return op->emitOpError("a tile of ") << tileBytes(tile) << " bytes does not fit a slot of " << *slot;
  }
  return success();
}

template <class Op> LogicalResult verifyInitialize(Op op, KernelKind kind) {
  if (op.getDirMask() < 1 || op.getDirMask() > 3) {
    return op.emitOpError("dir_mask is 1, 2 or 3, got ") << op.getDirMask();
  }
  if (op.getSlotNum() < 1 || op.getSlotSize() < 1) {
    return op.emitOpError("slot_num and slot_size are at least 1");
  }
  const bool direct = targetOf(op).arch == target::Arch::A5;
  if (!direct && !op.getGmSlotBuffer()) {
    return op.emitOpError("needs gm_slot_buffer: this chip has no direct way between the cores");
  }
  return checkCore(op, kind);
}

LogicalResult checkMemory(Operation *op, TileBufType tile, ArrayRef<Loc> allowed) {
  if (!llvm::is_contained(allowed, tile.getLoc())) {
    return op->emitOpError("does not take a tile in ") << stringifyEnum(tile.getLoc());
  }
  return checkSlot(op, tile);
}

} // namespace

LogicalResult ReserveBufferOp::verify() {
  const target::Memory &memory = targetOf(*this).memory(spaceOf(getLocation()));
  const auto begin = static_cast<int64_t>(getBase().value_or(0)); // chosen later: somewhere it has to fit
  const auto size = static_cast<int64_t>(getSize());
  if (begin < 0 || size < 1 || size > memory.capacity || begin > memory.capacity - size) {
    return emitOpError("bytes ") << begin << " to " << begin + size << " are not inside " << memory.name
                                 << ", which has " << memory.capacity;
  }
  return success();
}

LogicalResult ImportReservedBufferOp::verify() {
  return getName().empty() ? emitOpError("needs the name of the peer's buffer") : success();
}

LogicalResult AicInitializePipeOp::verify() { return verifyInitialize(*this, KernelKind::Cube); }
LogicalResult AivInitializePipeOp::verify() { return verifyInitialize(*this, KernelKind::Vector); }

LogicalResult TPushToAivOp::verify() {
  return failed(checkCore(*this, KernelKind::Cube)) ? failure()
                                                    : checkMemory(*this, getTile().getType(), {Loc::Acc, Loc::Mat});
}

LogicalResult TPushToAicOp::verify() {
  return failed(checkCore(*this, KernelKind::Vector)) ? failure() : checkMemory(*this, getTile().getType(), {Loc::Vec});
}

LogicalResult TPopFromAicOp::verify() {
  return failed(checkCore(*this, KernelKind::Vector)) ? failure()
                                                      : checkMemory(*this, getResult().getType(), {Loc::Vec});
}

LogicalResult TPopFromAivOp::verify() {
  return failed(checkCore(*this, KernelKind::Cube)) ? failure() : checkMemory(*this, getResult().getType(), {Loc::Mat});
}

LogicalResult TFreeFromAicOp::verify() { return checkCore(*this, KernelKind::Vector); }
LogicalResult TFreeFromAivOp::verify() { return checkCore(*this, KernelKind::Cube); }

} // namespace placid::pto
