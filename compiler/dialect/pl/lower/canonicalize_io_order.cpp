// SPDX-License-Identifier: Apache-2.0
// CanonicalizeIOOrder: see passes.td. What must keep its order is block_dependences; this file only chooses among the
// orders that are left.
#include "compiler/dialect/pl/lower/block_dependences.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/memory_plan.h"
#include "compiler/dialect/pl/lower/passes.h"

#include "mlir/IR/Builders.h"

#include <queue>
#include <tuple>

namespace placid::pl {

#define GEN_PASS_DEF_CANONICALIZEIOORDER
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// With more pipeline bodies than this, those of a function without room for all overlap get none: weighing each costs
/// a memory plan of the whole function.
constexpr size_t kMaxWeighedBodies = 64;

/// How far ahead of the arithmetic a body's transfers go. Each step needs fewer tiles at a time than the one before.
enum class Ahead : uint8_t { Everything, Loads, Nothing };

bool isGmLoad(Operation *op) { return isa<TileLoadOp, ReadOp>(op); }
bool isL0Load(Operation *op) {
  if (auto move = dyn_cast<TileMoveOp>(op)) {
    return move.getSource().getType().getMem() == Mem::Mat;
  }
  return isa<TileExtractOp>(op);
}
bool isBookkeeping(Operation *op) {
  return isa<TileReshapeOp, TileTransposeViewOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          llvm::none_of(op->getResultTypes(), [](Type type) { return isa<TileType>(type); }));
}

/// A created tile comes where its stage begins to compute: earlier, its buffer would be taken for nothing.
/// Sorts first: scalars, then loads of all stages, then moves to L0, then arithmetic and stores stage by stage.
using Key = std::tuple<int, int64_t, int, size_t>;

Key keyOf(Operation *op, Ahead ahead, size_t index) {
  auto tag = op->getAttrOfType<IntegerAttr>(kStageAttr);
  const int64_t stage = tag ? tag.getInt() : 0;
  if (isBookkeeping(op)) {
    return {0, 0, 0, index};
  }
  if (ahead != Ahead::Nothing && isGmLoad(op)) {
    return {1, stage, 0, index};
  }
  if (ahead == Ahead::Everything && isL0Load(op)) {
    return {2, stage, 0, index};
  }
  return {3, stage, isa<TileStoreOp>(op) ? 1 : 0, index};
}

/// One pipeline body and the order its operations came in.
struct Body {
  Block *block;
  SmallVector<Operation *> original;
  SmallVector<SmallVector<unsigned>> after; ///< For each operation, those that must follow it.
  Ahead ahead = Ahead::Everything;
};

void apply(const Body &body) {
  const size_t count = body.original.size();
  SmallVector<unsigned> waitsFor(count, 0);
  for (const SmallVector<unsigned> &list : body.after) {
    for (unsigned next : list) {
      ++waitsFor[next];
    }
  }
  std::priority_queue<std::pair<Key, unsigned>, std::vector<std::pair<Key, unsigned>>, std::greater<>> ready;
  auto offer = [&](unsigned index) { ready.push({keyOf(body.original[index], body.ahead, index), index}); };
  for (unsigned i = 0; i < count; ++i) {
    if (waitsFor[i] == 0) {
      offer(i);
    }
  }
  Operation *terminator = body.block->getTerminator();
  while (!ready.empty()) {
    const unsigned index = ready.top().second;
    ready.pop();
    body.original[index]->moveBefore(terminator);
    for (unsigned next : body.after[index]) {
      if (--waitsFor[next] == 0) {
        offer(next);
      }
    }
  }
}

struct CanonicalizeIOOrder : impl::CanonicalizeIOOrderBase<CanonicalizeIOOrder> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [&](func::FuncOp function) { run(function); });
  }

  static void run(func::FuncOp function) {
    SmallVector<Body> bodies; // inner bodies first
    function.walk([&](scf::ForOp loop) {
      auto kind = loop->getAttrOfType<StringAttr>(kLoopKindAttr);
      if (kind && kind.getValue() == "pipeline") {
        bodies.push_back({loop.getBody(), {}, {}, Ahead::Everything});
        loop->setAttr(kLoopKindAttr, StringAttr::get(loop.getContext(), "range"));
        loop->removeAttr(kStagesAttr);
      }
    });
    if (!bodies.empty()) {
      schedule(function, bodies);
    }
    function.walk([](Operation *op) { op->removeAttr(kStageAttr); });
  }

  static void schedule(func::FuncOp function, MutableArrayRef<Body> bodies) {
    const TileBuffers tiles(function);
    for (Body &body : bodies) {
      for (Operation &op : body.block->without_terminator()) {
        body.original.push_back(&op);
      }
      body.after = findDependences(body.original, tiles);
    }
    for (Body &body : bodies) {
      apply(body);
    }
    if (fitsAllMemories(function)) {
      return;
    }
    // Without any overlap the tiles of one stage are alive at a time; when even that is too much, the allocator says
    // so.
    auto trySet = [&](Body &body, Ahead ahead) {
      const Ahead before = body.ahead;
      body.ahead = ahead;
      apply(body);
      if (!fitsAllMemories(function)) {
        body.ahead = before;
        apply(body);
      }
    };
    for (Body &body : bodies) {
      body.ahead = Ahead::Nothing;
      apply(body);
    }
    if (bodies.size() > kMaxWeighedBodies || !fitsAllMemories(function)) {
      return;
    }
    // Then as much as fits: GM loads of outer bodies are worth most, moves to L0 of inner ones next.
    for (Body &body : llvm::reverse(bodies)) {
      trySet(body, Ahead::Loads);
    }
    for (Body &body : bodies) {
      if (body.ahead == Ahead::Loads) {
        trySet(body, Ahead::Everything);
      }
    }
  }
};

} // namespace

} // namespace placid::pl
