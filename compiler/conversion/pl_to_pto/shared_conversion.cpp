// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter for kernels whose functions were written for both cores: flags between them, and what one
// writes into the other's memory. Apart from pipe_conversion.cpp, where the compiler has split a kernel.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pto/ir/core_ops.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

/// A flag is one of a pipe, and the program may order its pipes by events that are not kept, so everything before it is
/// done when it is raised, and nothing behind a wait begins before that is over. Flags in a row need that once.
LogicalResult KernelConverter::convertFlag(Operation *op, StringRef pipe, Value event, bool raises) {
  OpBuilder &builder = kernel_->body();
  Location loc = locOf(op);
  Value number = indexScalar(loc, event);
  if (!number) {
    return failure();
  }
  std::optional<int64_t> known = getConstantIntValue(number);
  IntegerAttr flag = known ? builder.getI64IntegerAttr(*known) : IntegerAttr();
  Value other = known ? Value() : number;
  // Numbers in between are no work of any pipe.
  auto alike = [&](bool before) {
    Operation *neighbour = op;
    do {
      neighbour = before ? neighbour->getPrevNode() : neighbour->getNextNode();
    } while (neighbour && isa<arith::ArithDialect>(neighbour->getDialect()));
    return neighbour && (raises ? isa<CoreSetOp>(neighbour) : isa<CoreWaitOp>(neighbour));
  };
  if (raises && !alike(true)) {
    pto::BarrierAllOp::create(builder, loc);
  }
  if (raises) {
    pto::SetIntraBlockOp::create(builder, loc, builder.getStringAttr(pipe), other, flag);
  } else {
    pto::WaitIntraBlockOp::create(builder, loc, builder.getStringAttr(pipe), other, flag);
  }
  if (!raises && !alike(false)) {
    pto::BarrierAllOp::create(builder, loc);
  }
  return success();
}

LogicalResult KernelConverter::convertPut(SharedPutOp put) {
  if (put.getHow() == "insert") {
    return convertInsert(put);
  }
  if (put.getHow() != "copy") {
    return convertToLanes(put);
  }
  std::optional<View> view = viewOf(put.getSource());
  const bool whole = view && view->type.getValidOrShape() == view->type.getShape();
  Value source = whole ? flatHandle(put.getSource()) : view ? handle(put.getSource(), *view) : Value();
  Value target = whole ? flatHandle(put.getTarget()) : source ? handle(put.getTarget(), *view) : Value();
  if (!source || !target) {
    return failure();
  }
  pto::TMovOp::create(kernel_->body(), locOf(put), source, target);
  return success();
}

/// Rows become columns of fractals in the memory of this core, and these a window of a tile of the other core.
LogicalResult KernelConverter::convertInsert(SharedPutOp put) {
  Location loc = locOf(put);
  SmallVector<Value> begin;
  for (Value index : put.getOffsets()) {
    begin.push_back(indexScalar(loc, index));
  }
  std::optional<View> view = viewOf(put.getSource());
  Value source = view ? handle(put.getSource(), *view) : Value();
  Value scratch = source ? handle(put.getScratch(), *view) : Value();
  Value target = scratch ? handle(put.getTarget()) : Value();
  auto placed = scratch ? scratch.getDefiningOp<pto::AllocTileOp>() : pto::AllocTileOp();
  if (!target || !placed || llvm::is_contained(begin, Value())) {
    return failure();
  }
  pto::TileBufType flat = placed.getResult().getType();
  auto type = pto::TileBufType::getChecked([&]() { return put->emitOpError(); }, put.getContext(), pto::Loc::Vec,
                                           flat.getDtype(), flat.getRows(), flat.getCols(), flat.getValidRows(),
                                           flat.getValidCols(), pto::BLayout::ColMajor, pto::SLayout::RowMajor,
                                           int64_t{512}, int64_t{0});
  if (!type) {
    return failure();
  }
  OpBuilder &builder = kernel_->body();
  auto boxed = pto::AllocTileOp::create(builder, namedLoc(loc, nameOf(put.getSource(), "tile"), "_nz"), type,
                                        placed.getAddr(), placed.getValidRow(), placed.getValidCol());
  boxed->setAttr(kBufferAttr, placed->getAttr(kBufferAttr));
  pto::TMovOp::create(builder, loc, source, boxed.getResult());
  pto::InstrOp::create(builder, loc, builder.getStringAttr("tinsert"),
                       ValueRange{boxed.getResult(), begin[0], begin[1]}, ValueRange{target}, IntegerAttr(),
                       DictionaryAttr(), DictionaryAttr());
  return success();
}

LogicalResult KernelConverter::convertToLanes(SharedPutOp put) {
  Value source = handle(put.getSource());
  Value target = handle(put.getTarget());
  Value scale = put.getScale();
  const bool row = scale && isa<TileType>(scale.getType());
  Value scales = row ? handle(scale) : Value();
  Value word = scale && !row ? scalar(scale) : Value();
  if (!source || !target || (scale && !scales && !word)) {
    return failure();
  }
  StringRef how = put.getHow();
  StringRef mode = how == "vec0"      ? "single_mode_vec0"
                   : how == "vec1"    ? "single_mode_vec1"
                   : how == "split_m" ? "dual_mode_split_m"
                                      : "dual_mode_split_n";
  DType from = put.getSource().getType().getDtype();
  DType to = put.getTarget().getType().getDtype();
  const bool half = to == DType::F16 || to == DType::BF16;
  const bool bytes = to == DType::I8 || to == DType::UI8;
  const bool known =
      scale ? bytes || half || (from == DType::F32 && to == DType::F32) : from == to || (from == DType::F32 && half);
  if (!known) {
    return notLowered(put, "a move of " + plName(from) + " from Acc to Vec as " + plName(to) +
                               (scale ? " with a scale" : " without a scale"));
  }
  auto relu = put.getRelu() ? pto::ReluPreModeAttr::get(put.getContext(), pto::ReluPreMode::NormalRelu)
                            : pto::ReluPreModeAttr();
  pto::AccToVecOp::create(kernel_->body(), locOf(put), source, target, scales, word,
                          StringAttr::get(put.getContext(), mode), relu);
  return success();
}

} // namespace placid::conversion
