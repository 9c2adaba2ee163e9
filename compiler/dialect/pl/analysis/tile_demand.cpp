// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/tile_demand.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace placid::pl {

/// What rows are gathered from stays in memory.
static bool isGatherSource(GenericOp op, const OpOperand &use) {
  return op.getName() == "tensor.gather_row" && op.getArgument("src") == use.get();
}

Mem demandedMemory(Value tensor) {
  SmallVector<Value> open{tensor};
  DenseSet<Value> seen;
  Mem demand = Mem::Vec;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second) {
      continue;
    }
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      llvm::TypeSwitch<Operation *>(user)
          .Case([&](TensorMatmulOp) { demand = demand == Mem::Acc ? demand : Mem::Mat; })
          .Case([&](TensorMatmulAccOp) { demand = number == 0 || demand == Mem::Acc ? Mem::Acc : Mem::Mat; })
          .Case<TensorReshapeOp, TensorSliceOp>([&](Operation *view) { open.push_back(view->getResult(0)); })
          .Case([&](scf::ForOp loop) {
            unsigned init = number - loop.getNumControlOperands();
            open.push_back(loop.getRegionIterArgs()[init]);
            open.push_back(loop.getResult(init));
          })
          .Case([&](scf::YieldOp yield) {
            if (!isa<scf::WhileOp>(yield->getParentOp())) {
              open.push_back(yield->getParentOp()->getResult(number));
            }
          })
          .Default([](Operation *) {});
    }
  }
  if (demand == Mem::Vec && tensor.use_empty() && cast<TensorType>(tensor.getType()).isNz()) {
    return Mem::Mat;
  }
  return demand;
}

bool wantsTile(Operation *op) {
  Value tensor = op->getResult(0);
  if (tensor.use_empty()) {
    return isa<TensorSliceOp>(op);
  }
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<func::CallOp, ReadOp, TileLoadOp, TileStoreOp, DimOp, TensorSliceOp>(user)) {
      return false;
    }
    auto generic = dyn_cast<GenericOp>(user);
    if (generic && (generic.getRow().category == ops::Category::Prefetch || isGatherSource(generic, use))) {
      return false; // of the memory, not of the chip
    }
    auto assemble = dyn_cast<TensorAssembleOp>(user);
    return !assemble || assemble.getSource() == use.get();
  });
}

} // namespace placid::pl
