// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lane_regions.h"

#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/ir/pl.h"

using namespace mlir;

namespace placid::pl {

namespace {

StringRef modeOf(Operation *op) {
  auto mode = isa<SubblockIdxOp>(op) ? op->getAttrOfType<StringAttr>(kLaneModeAttr) : StringAttr();
  return mode ? mode.getValue() : StringRef();
}

bool isVec(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile && tile.getMem() == Mem::Vec;
}

/// The operations of the region that `begin` opens.
template <class Visit> void eachOf(Operation *begin, Visit visit) {
  for (Operation *op = begin->getNextNode(); op && modeOf(op) != kLaneModeEnd; op = op->getNextNode()) {
    op->walk(visit);
  }
}

/// Adds to what others see, so that a second time is one too many.
bool counts(Operation *op) {
  if (auto store = dyn_cast<TileStoreOp>(op)) {
    return store.getAtomic() && isVec(store.getTile());
  }
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getRow().category == ops::Category::Distributed && generic.getName() != "pld.system.wait" &&
         generic.getRow().effect != ops::Effect::Pure && generic.getRow().effect != ops::Effect::Reads;
}

} // namespace

std::optional<LaneFault> findLaneFault(func::FuncOp function) {
  llvm::DenseSet<Operation *> inside;
  bool any = false;
  std::optional<LaneFault> fault;
  function.walk<WalkOrder::PreOrder>([&](SubblockIdxOp begin) {
    StringRef mode = modeOf(begin);
    if (mode.empty() || mode == kLaneModeEnd || mode == kLaneModeAuto) {
      return;
    }
    any = true;
    bool divides = false;
    bool vector = false;
    eachOf(begin, [&](Operation *op) {
      inside.insert(op);
      divides |= op->hasAttr(kLaneAxisAttr);
      vector |= llvm::any_of(op->getOperands(), isVec) || llvm::any_of(op->getResults(), isVec);
    });
    if (mode != "NONE" && vector && !divides && !fault) {
      fault = {begin, "a region of `pl.split_aiv` in halves that names no tile of which each lane takes its own"};
    }
  });
  if (!any || fault) {
    return fault;
  }
  function.walk([&](Operation *op) {
    if (!fault && counts(op) && !inside.contains(op)) {
      fault = {op, "an effect outside of `pl.split_aiv` that both vector lanes would have"};
    }
  });
  return fault;
}

} // namespace placid::pl
