// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/popped_tiles.h"

#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "mlir/IR/Builders.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// The statement of its block in which the tile is read last; the pop itself when nothing reads it.
Operation *lastUse(PipePopOp pop) {
  Operation *last = pop;
  auto visit = [&](Value tile) {
    for (Operation *user : tile.getUsers()) {
      Operation *here = pop->getBlock()->findAncestorOpInBlock(*user);
      last = here && last->isBeforeInBlock(here) ? here : last;
    }
  };
  visit(pop.getResult());
  for (Operation *user : pop.getResult().getUsers()) {
    if (user->hasAttr(kWindowAttr)) {
      visit(user->getResult(0));
    }
  }
  return last;
}

/// Other tiles are popped and freed inside a loop or branch while this one is still needed.
bool isOvertaken(PipePopOp pop) {
  Operation *last = lastUse(pop);
  for (Operation *op = pop; op; op = op == last ? nullptr : op->getNextNode()) {
    const bool pops = op != pop && op->walk([](PipePopOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (pops && !isa<PipePopOp>(op)) {
      return true;
    }
  }
  return false;
}

void copyAttr(Operation *to, Operation *from, StringRef name) {
  if (Attribute attr = from->getAttr(name)) {
    to->setAttr(name, attr);
  }
}

} // namespace

std::optional<PipePopOp> freePopped(ArrayRef<PipePopOp> pops, bool mayCopy) {
  for (PipePopOp pop : pops) {
    if (!isOvertaken(pop)) {
      continue;
    }
    if (!mayCopy) {
      return pop;
    }
    OpBuilder builder(pop);
    builder.setInsertionPointAfter(pop);
    auto copy = TileMoveOp::create(builder, pop.getLoc(), pop.getResult().getType(), pop.getResult());
    pop.getResult().replaceAllUsesExcept(copy.getResult(), copy);
  }
  llvm::DenseMap<Block *, PipeFreeOp> latest; // in each block
  for (PipePopOp pop : pops) {
    Operation *last = lastUse(pop);
    PipeFreeOp &before = latest[pop->getBlock()];
    last = before && last->isBeforeInBlock(before) ? before.getOperation() : last;
    OpBuilder builder(pop);
    builder.setInsertionPointAfter(last);
    before = PipeFreeOp::create(builder, rangeLoc(pop.getLoc()), pop.getResult());
    copyAttr(before, pop, kLaneAxisAttr);
    copyAttr(before, pop, kTokenAttr);
  }
  return std::nullopt;
}

PipePopOp poppedBeyond(func::FuncOp function, int64_t most) {
  PipePopOp beyond;
  int64_t now = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    now += isa<PipePopOp>(op) ? 1 : isa<PipeFreeOp>(op) ? -1 : 0;
    beyond = !beyond && now > most ? cast<PipePopOp>(op) : beyond;
  });
  return beyond;
}

int64_t poppedAtOnce(func::FuncOp function) {
  int64_t now = 0;
  int64_t most = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    now += isa<PipePopOp>(op) ? 1 : isa<PipeFreeOp>(op) ? -1 : 0;
    most = std::max(most, now);
  });
  return most;
}

int64_t slotsFor(target::Arch arch, int64_t wanted, int64_t atOnce) {
  if (arch == target::Arch::A5 && atOnce > 1) {
    return kMostHeldOnA5;
  }
  const int64_t slots = std::max(wanted, atOnce);
  // Credits come by halves of the slots, which the chip rounds down: half of an odd number would be given twice.
  return slots > 3 ? slots + slots % 2 : slots;
}

} // namespace placid::pl
