// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that passes tiles between the cube and the vector core of a kernel.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

/// `split`: 0 is the whole tile for each vector lane, 1 its half of the rows, 2 its half of the columns.
int64_t splitOf(Operation *op) {
  auto axis = op->getAttrOfType<IntegerAttr>(kLaneAxisAttr);
  return axis ? axis.getInt() + 1 : 0;
}

std::string bufferName(StringRef group, bool toVector) {
  return (group + (toVector ? "_c2v_slot_buffer" : "_v2c_slot_buffer")).str();
}

} // namespace

void KernelConverter::openPipe() {
  OpBuilder &builder = kernel_->body();
  Location loc = rangeLoc(source_.getLoc());
  const bool cube = pipe_->side == CoreSide::Cube;
  const std::string peer = group_ + (cube ? "_aiv" : "_aic");
  // The consumer's memory holds the tiles; the producer learns where.
  auto buffer = [&](bool toVector, bool used) -> Value {
    if (!used) {
      return kernel_->constant(builder.getI32IntegerAttr(0));
    }
    const std::string name = bufferName(group_, toVector);
    const bool consumer = toVector != cube;
    if (!consumer) {
      return pto::ImportReservedBufferOp::create(builder, namedLoc(loc, name, "_import"), builder.getI32Type(),
                                                 builder.getStringAttr(name),
                                                 FlatSymbolRefAttr::get(builder.getContext(), peer));
    }
    auto where = pto::LocAttr::get(builder.getContext(), toVector ? pto::Loc::Vec : pto::Loc::Mat);
    return pto::ReserveBufferOp::create(builder, namedLoc(loc, name, ""), builder.getI32Type(),
                                        builder.getStringAttr(name),
                                        builder.getI64IntegerAttr(pipe_->slotBytes * pipe_->slots), where,
                                        planned_ ? builder.getI64IntegerAttr(0) : IntegerAttr());
  };
  Value c2v = buffer(true, pipe_->toVector);
  Value v2c = buffer(false, pipe_->toCube);
  const int64_t directions = (pipe_->toVector ? 1 : 0) + (pipe_->toCube ? 2 : 0);
  if (cube) {
    pto::AicInitializePipeOp::create(builder, loc, directions, pipe_->slotBytes, pipe_->slots, kernel_->workspace(),
                                     c2v, v2c);
  } else {
    pto::AivInitializePipeOp::create(builder, loc, directions, pipe_->slotBytes, pipe_->slots, kernel_->workspace(),
                                     c2v, v2c);
  }
}

LogicalResult KernelConverter::convertPush(PipePushOp push) {
  Value tile = handle(push.getTile());
  if (!tile) {
    return failure();
  }
  noteCore(push.getTile().getType().getMem(), push);
  if (push->hasAttr(kTokenAttr)) {
    // The push goes behind what this core stored; what it has loaded, or still loads, waits for nothing.
    pto::BarrierAllOp::create(kernel_->body(), locOf(push));
  }
  if (pipe_->side == CoreSide::Cube) {
    pto::TPushToAivOp::create(kernel_->body(), locOf(push), tile, splitOf(push));
  } else {
    pto::TPushToAicOp::create(kernel_->body(), locOf(push), tile, splitOf(push));
  }
  return success();
}

LogicalResult KernelConverter::convertPop(PipePopOp pop) {
  std::optional<View> view = viewOf(pop.getResult());
  std::optional<pto::TileBufType> type = view ? bufferType(pop.getResult(), *view) : std::nullopt;
  if (!type) {
    return failure();
  }
  noteCore(view->type.getMem(), pop);
  Location loc = namedLoc(locOf(pop), nameOf(pop.getResult(), "tile"), "");
  Value rows;
  Value columns;
  spellEmpty(*type, rows, columns);
  if (view->live[0] || view->live[1]) {
    // The instruction takes both extents or none.
    rows = liveExtent(*view, *type, 0);
    columns = liveExtent(*view, *type, 1);
    *type = pto::TileBufType::get(type->getContext(), type->getLoc(), type->getDtype(), type->getRows(),
                                  type->getCols(), ShapedType::kDynamic, ShapedType::kDynamic, type->getBlayout(),
                                  type->getSlayout(), type->getFractal(), type->getPad());
  }
  Value popped;
  if (pipe_->side == CoreSide::Vector) {
    popped = pto::TPopFromAicOp::create(kernel_->body(), loc, *type, rows, columns, splitOf(pop));
  } else {
    popped = pto::TPopFromAivOp::create(kernel_->body(), loc, *type, rows, columns, splitOf(pop));
  }
  if (pop->hasAttr(kTokenAttr) && target_.arch == target::Arch::A5) {
    // A5 holds back only what computes; loads would overtake the token, which nothing reads.
    pto::BarrierAllOp::create(kernel_->body(), locOf(pop));
  }
  handles_[{buffers_.bufferOf(pop.getResult()), view->type, view->live[0], view->live[1], view->pad}] = popped;
  return success();
}

LogicalResult KernelConverter::convertFree(PipeFreeOp free) {
  if (pipe_->side == CoreSide::Vector) {
    pto::TFreeFromAicOp::create(kernel_->body(), locOf(free), splitOf(free));
  } else {
    pto::TFreeFromAivOp::create(kernel_->body(), locOf(free), splitOf(free));
  }
  return success();
}

} // namespace placid::conversion
