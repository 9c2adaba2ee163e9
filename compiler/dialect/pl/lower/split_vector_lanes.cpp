// SPDX-License-Identifier: Apache-2.0
// SplitVectorLanes: see passes.td. What is divided is decided in lane_halves; this file gives every tile its new type
// and moves what loads and stores touch.
#include "compiler/dialect/pl/analysis/argument_aliases.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/lower/core_split.h"
#include "compiler/dialect/pl/lower/lane_halves.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/scratch_tiles.h"

#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_SPLITVECTORLANES
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

class LaneSplitter {
public:
  LaneSplitter(func::FuncOp function, const LaneHalves &halves) : function_(function), halves_(halves) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    auto lane = SubblockIdxOp::create(builder, namedLoc(function.getLoc(), "lane", ""));
    lane->setAttr(kLaneModeAttr, builder.getStringAttr(kLaneModeAuto));
    lane_ = lane;
  }

  void run() {
    SmallVector<Operation *> ops;
    function_.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    // Cuts take the types that their sources have in the end; windows follow the types from before.
    for (const auto &[operand, axis] : halves_.cuts()) {
      cut(*operand, axis);
    }
    for (Operation *op : ops) {
      if (auto load = dyn_cast<TileLoadOp>(op)) {
        halveLoad(load);
      } else if (auto store = dyn_cast<TileStoreOp>(op)) {
        halveStore(store);
      } else if (auto move = dyn_cast<TileMoveOp>(op)) {
        divideMove(move);
      }
    }
    for (Operation *op : ops) {
      for (Value result : op->getResults()) {
        halve(result);
      }
      for (Region &region : op->getRegions()) {
        for (Block &block : region) {
          llvm::for_each(block.getArguments(), [&](Value argument) { halve(argument); });
        }
      }
    }
    for (Operation *op : ops) {
      if (auto generic = dyn_cast<GenericOp>(op)) {
        renewScratch(generic);
      }
    }
  }

private:
  void halve(Value value) {
    if (const std::optional<int64_t> axis = halves_.axisOf(value)) {
      value.setType(LaneHalves::halved(cast<TileType>(value.getType()), *axis));
    }
  }

  /// Where the lane's part begins, `half` elements into the whole for the second lane.
  Value begin(OpBuilder &builder, Location loc, int64_t half) {
    Value length = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(half));
    return arith::MulIOp::create(builder, loc, lane_, length);
  }

  /// `offset` for the lane's half of a window.
  OpFoldResult moved(OpBuilder &builder, Location loc, OpFoldResult offset, int64_t half) {
    Value shift = begin(builder, loc, half);
    auto value = dyn_cast<Value>(offset);
    if (!value) {
      const int64_t constant = cast<IntegerAttr>(cast<Attribute>(offset)).getInt();
      if (constant == 0) {
        return shift;
      }
      value = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(constant));
    }
    if (value.getType() != shift.getType()) {
      shift = CastOp::create(builder, loc, value.getType(), shift, /*unsigned_input=*/false);
    }
    return arith::AddIOp::create(builder, loc, value, shift).getResult();
  }

  /// The operand is whole in both lanes; here each reads its own half of it.
  void cut(OpOperand &operand, int64_t axis) {
    OpBuilder builder(operand.getOwner());
    Location loc = rangeLoc(operand.getOwner()->getLoc());
    auto type = cast<TileType>(operand.get().getType());
    const TileType half = LaneHalves::halved(type, axis);
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
    offsets[axis] = begin(builder, loc, half.getShape()[axis]);
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    operand.set(TileExtractOp::create(builder, namedLoc(loc, nameOf(operand.get(), "tile"), "_half"), half,
                                      operand.get(), dynamic, statics));
  }

  void halveLoad(TileLoadOp load) {
    const std::optional<int64_t> axis = halves_.axisOf(load.getResult());
    if (!axis) {
      return;
    }
    OpBuilder builder(load);
    const unsigned at = *LaneHalves::windowAxis(load.getSizes(), *axis);
    SmallVector<int64_t> sizes(load.getSizes());
    sizes[at] /= 2;
    SmallVector<OpFoldResult> offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), load.getContext());
    offsets[at] = moved(builder, rangeLoc(load.getLoc()), offsets[at], sizes[at]);
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    load.getOffsetsMutable().assign(dynamic);
    load.setStaticOffsets(statics);
    load.setSizes(sizes);
    if (!load.getStaticValid().empty()) {
      SmallVector<int64_t> valid(load.getStaticValid());
      valid[at] = sizes[at]; // it was all of it
      load.setStaticValid(valid);
    }
  }

  void halveStore(TileStoreOp store) {
    const std::optional<int64_t> axis = halves_.axisOf(store.getTile());
    if (!axis) {
      return;
    }
    OpBuilder builder(store);
    ArrayRef<int64_t> shape = store.getTile().getType().getShape();
    const unsigned rank = store.getDest().getType().getRank();
    unsigned at = rank - 2 + static_cast<unsigned>(*axis);
    int64_t half = shape[*axis] / 2;
    if (store.getSizes()) {
      SmallVector<int64_t> sizes(*store.getSizes());
      at = *LaneHalves::windowAxis(sizes, *axis);
      half = sizes[at] /= 2;
      store.setSizes(sizes);
    }
    SmallVector<OpFoldResult> offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), store.getContext());
    offsets[at] = moved(builder, rangeLoc(store.getLoc()), offsets[at], half);
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    store.getOffsetsMutable().assign(dynamic);
    store.setStaticOffsets(statics);
  }

  /// The pipe divides what it hands over, and joins it again.
  void divideMove(TileMoveOp move) {
    const bool from = move.getSource().getType().getMem() == Mem::Vec;
    const bool to = move.getResult().getType().getMem() == Mem::Vec;
    if (from == to) {
      return;
    }
    if (const std::optional<int64_t> axis = halves_.axisOf(to ? move.getResult() : move.getSource())) {
      move->setAttr(kLaneAxisAttr, IntegerAttr::get(IntegerType::get(move.getContext(), 64), *axis));
    }
  }

  /// Scratch is as large as the instruction now needs it.
  void renewScratch(GenericOp op) {
    const VectorOp *row = findVectorOp(op.getName());
    StringRef name = row ? scratchParameter(*row) : StringRef();
    Value scratch = name.empty() ? Value() : op.getArgument(name);
    auto create = scratch ? scratch.getDefiningOp<TileCreateOp>() : TileCreateOp();
    if (!create || op->getNumResults() != 1 || !scratch.hasOneUse()) {
      return;
    }
    if (TileType type = scratchTile(op, row->scratch, targetOf(op))) {
      scratch.setType(type);
    }
  }

  func::FuncOp function_;
  const LaneHalves &halves_;
  Value lane_;
};

struct SplitVectorLanes : impl::SplitVectorLanesBase<SplitVectorLanes> {
  void runOnOperation() override {
    noteAliases(getOperation());
    forEachKernel(getOperation(), [](func::FuncOp function) {
      auto axis = function->getAttrOfType<IntegerAttr>(kSplitAttr);
      if (!axis || !isHalvedByLanes(function) || !CoreSplit(function).isMixed() || CoreSplit(function).refusal()) {
        return;
      }
      const LaneHalves halves(function, axis.getInt());
      if (const std::optional<LaneHalves::Refusal> &refusal = halves.refusal()) {
        if (!refusal->op->hasAttr(kNotLoweredAttr)) {
          refusal->op->setAttr(kNotLoweredAttr, StringAttr::get(function.getContext(), refusal->why));
        }
        return;
      }
      LaneSplitter(function, halves).run();
    });
  }
};

} // namespace

} // namespace placid::pl
