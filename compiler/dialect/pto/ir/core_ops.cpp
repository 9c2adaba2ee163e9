// SPDX-License-Identifier: Apache-2.0
// Verifiers of the operations of core_ops.td. A complaint here is a fault of the lowering, never of the user.
#include "compiler/dialect/pto/ir/core_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/pto/ir/core_ops.cpp.inc"

namespace placid::pto {

namespace {

/// Flags of both cores are numbers of one table; which pipes have any is the chip's.
template <class Op> LogicalResult verifyFlag(Op op) {
  constexpr int64_t kLastFlag = 31;
  if (!llvm::is_contained({"FIX", "MTE1", "MTE2", "MTE3", "V"}, op.getPipe())) {
    return op.emitOpError("expects a pipe FIX, MTE1, MTE2, MTE3 or V, got ") << op.getPipe();
  }
  const std::optional<uint64_t> known = op.getStaticEvent();
  if (known.has_value() == static_cast<bool>(op.getEvent())) {
    return op.emitOpError("expects a flag as a number or as an operand");
  }
  return known && *known > kLastFlag ? LogicalResult(op.emitOpError("expects a flag from 0 to 31")) : success();
}

} // namespace

LogicalResult SetIntraBlockOp::verify() { return verifyFlag(*this); }
LogicalResult WaitIntraBlockOp::verify() { return verifyFlag(*this); }

LogicalResult AccToVecOp::verify() {
  TileBufType src = getSrc().getType();
  TileBufType dst = getDst().getType();
  const StringRef mode = getMode();
  if (src.getLoc() != Loc::Acc || dst.getLoc() != Loc::Vec) {
    return emitOpError("expects an accumulator and a vec tile");
  }
  if (targetOf(getOperation()).arch != target::Arch::A5) {
    return emitOpError("no path from acc to vec on this chip");
  }
  const int64_t parts = mode.starts_with("dual") ? 2 : 1;
  const int64_t rows = dst.getRows() * (mode == "dual_mode_split_m" ? 2 : 1);
  const int64_t cols = dst.getCols() * (mode == "dual_mode_split_n" ? 2 : 1);
  if (!llvm::is_contained({"single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n"}, mode)) {
    return emitOpError("has no mode ") << mode;
  }
  if (rows != src.getRows() || cols != src.getCols()) {
    return emitOpError("expects what each lane gets to be the whole tile, or half of it");
  }
  if (getFp() && getPreQuantScalar()) {
    return emitOpError("expects one scale at most");
  }
  return parts == 2 && (getFp() || getPreQuantScalar())
             ? LogicalResult(emitOpError("expects no scale where both lanes get a half"))
             : success();
}

} // namespace placid::pto
