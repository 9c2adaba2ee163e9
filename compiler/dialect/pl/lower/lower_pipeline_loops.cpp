// SPDX-License-Identifier: Apache-2.0
// LowerPipelineLoops: see passes.td. Inner loops first, so that what an outer loop copies is already lowered.
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <algorithm>

namespace placid::pl {

#define GEN_PASS_DEF_LOWERPIPELINELOOPS
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// A loop whose copies would hold more operations than this stays as it is: code, not overlap, would be the cost.
constexpr int64_t kMaxCopiedOps = 8192;

int64_t countOps(scf::ForOp loop) {
  int64_t count = 0;
  loop.getBody()->walk([&](Operation *) { ++count; });
  return count;
}

class Unroller {
public:
  Unroller(scf::ForOp loop, int64_t stages)
      : loop_(loop), stages_(stages), loc_(rangeLoc(loop.getLoc())), builder_(loop) {}

  /// Replaces the loop by one that runs `stages` iterations a time, and what is left over. False when the bounds or the
  /// step do not allow it; nothing is changed then.
  bool run() {
    std::optional<int64_t> step = getConstantIntValue(loop_.getStep());
    if (!step || *step <= 0 || *step > INT32_MAX || countOps(loop_) * stages_ > kMaxCopiedOps) {
      return false;
    }
    step_ = *step;
    std::optional<int64_t> low = getConstantIntValue(loop_.getLowerBound());
    std::optional<int64_t> high = getConstantIntValue(loop_.getUpperBound());
    return low && high ? unrollStatic(*low, *high) : unrollDynamic();
  }

private:
  bool unrollStatic(int64_t low, int64_t high) {
    if (high <= low || low < INT32_MIN || high > INT32_MAX) {
      return false;
    }
    const int64_t trips = (high - low + step_ - 1) / step_;
    stages_ = std::min(stages_, trips);
    if (stages_ < 2) {
      return false;
    }
    const int64_t main = trips / stages_ * stages_;
    SmallVector<Value> carried = mainLoop(loop_.getLowerBound(), constant(low + main * step_));
    for (int64_t i = main; i < trips; ++i) {
      carried = copyBody(constant(low + i * step_), carried, std::nullopt);
    }
    replaceBy(carried);
    return true;
  }

  bool unrollDynamic() {
    if (!loop_.getInductionVar().getType().isIndex()) {
      return false; // the count could wrap at the type's width
    }
    Value low = loop_.getLowerBound();
    Value high = loop_.getUpperBound();
    Value zero = constant(0);
    Value span = arith::SubIOp::create(builder_, loc_, high, low);
    Value positive = arith::MaxSIOp::create(builder_, loc_, span, zero);
    Value padded = arith::AddIOp::create(builder_, loc_, positive, constant(step_ - 1));
    Value trips = arith::DivSIOp::create(builder_, loc_, padded, constant(step_));
    Value left = arith::RemSIOp::create(builder_, loc_, trips, constant(stages_));
    Value main = arith::SubIOp::create(builder_, loc_, trips, left);
    Value length = arith::MulIOp::create(builder_, loc_, main, constant(step_));
    Value end = arith::AddIOp::create(builder_, loc_, low, length);
    SmallVector<Value> carried = mainLoop(low, end);
    // Fewer than `stages` iterations are left over: the original loop runs them.
    auto rest = cast<scf::ForOp>(builder_.clone(*loop_.getOperation()));
    rest.getLowerBoundMutable().assign(end);
    rest.getInitArgsMutable().assign(carried);
    rest->setAttr(kLoopKindAttr, builder_.getStringAttr("range"));
    rest->removeAttr(kStagesAttr);
    replaceBy(rest.getResults());
    return true;
  }

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder_, loc_, builder_.getIntegerAttr(loop_.getInductionVar().getType(), value));
  }

  SmallVector<Value> mainLoop(Value low, Value high) {
    Value by = constant(step_ * stages_);
    auto main = scf::ForOp::create(builder_, loop_.getLoc(), low, high, by, loop_.getInitArgs());
    main->setDiscardableAttrs(loop_->getDiscardableAttrDictionary());
    main->setAttr(kStagesAttr, builder_.getI64IntegerAttr(1));
    main.getInductionVar().setLoc(loop_.getInductionVar().getLoc());
    for (auto [from, to] : llvm::zip_equal(loop_.getRegionIterArgs(), main.getRegionIterArgs())) {
      to.setLoc(from.getLoc());
    }
    OpBuilder::InsertionGuard guard(builder_);
    Block *body = main.getBody();
    if (!body->empty()) {
      body->back().erase(); // the yield that a loop without results is made with
    }
    builder_.setInsertionPointToEnd(body);
    SmallVector<Value> carried(main.getRegionIterArgs().begin(), main.getRegionIterArgs().end());
    for (int64_t stage = 0; stage < stages_; ++stage) {
      Value at = main.getInductionVar();
      if (stage > 0) {
        Value distance = constant(stage * step_);
        at = arith::AddIOp::create(builder_, main.getInductionVar().getLoc(), at, distance);
      }
      carried = copyBody(at, carried, stage);
    }
    scf::YieldOp::create(builder_, loc_, carried);
    return {main.getResults().begin(), main.getResults().end()};
  }

  SmallVector<Value> copyBody(Value at, ValueRange carried, std::optional<int64_t> stage) {
    IRMapping map;
    map.map(loop_.getInductionVar(), at);
    map.map(loop_.getRegionIterArgs(), carried);
    for (Operation &op : loop_.getBody()->without_terminator()) {
      Operation *copy = builder_.clone(op, map);
      if (stage) {
        copy->setAttr(kStageAttr, builder_.getI64IntegerAttr(*stage));
      }
    }
    SmallVector<Value> out;
    for (Value value : loop_.getYieldedValues()) {
      out.push_back(map.lookupOrDefault(value));
    }
    return out;
  }

  void replaceBy(ValueRange values) {
    loop_->replaceAllUsesWith(values);
    loop_->erase();
  }

  scf::ForOp loop_;
  int64_t stages_;
  int64_t step_ = 1;
  Location loc_;
  OpBuilder builder_;
};

struct LowerPipelineLoops : impl::LowerPipelineLoopsBase<LowerPipelineLoops> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) { run(function); });
  }

  static void run(func::FuncOp function) {
    SmallVector<scf::ForOp> loops;
    function.walk([&](scf::ForOp loop) { loops.push_back(loop); }); // inner loops first
    for (scf::ForOp loop : loops) {
      auto kind = loop->getAttrOfType<StringAttr>(kLoopKindAttr);
      auto stages = loop->getAttrOfType<IntegerAttr>(kStagesAttr);
      if (!kind || kind.getValue() != "pipeline") {
        loop->removeAttr(kStagesAttr);
        continue;
      }
      if (!stages || stages.getInt() < 2 || !Unroller(loop, stages.getInt()).run()) {
        loop->setAttr(kStagesAttr, OpBuilder(loop).getI64IntegerAttr(1));
      }
    }
  }
};

} // namespace

} // namespace placid::pl
