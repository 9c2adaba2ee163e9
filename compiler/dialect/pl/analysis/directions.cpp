// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/directions.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace placid::pl {

namespace {

struct Usage {
  bool reads = false;
  bool writes = false;
};

/// Direction of parameter `index` as the callee declares it; unknown counts as a read.
Usage calleeUsage(func::CallOp call, unsigned index) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  auto dir = callee ? callee.getArgAttrOfType<StringAttr>(index, kDirAttr) : StringAttr();
  StringRef text = dir ? dir.getValue() : "in";
  return {text != "out", text == "out" || text == "inout"};
}

/// What an operation of the table does with the tensor that is its operand `index`.
Usage genericUsage(GenericOp op, unsigned index) {
  const ops::OpRow *row = ops::findIrName(op.getName()).row;
  StringRef parameter = cast<StringAttr>(op.getOperandNames()[index]).getValue();
  if (op.getName() == "pld.tensor.get" && parameter == "dst") {
    return {false, true};
  }
  if (!row || row->dialect != ops::Dialect::Pl || row->writesTensor != std::string_view(parameter)) {
    return {true, false};
  }
  // An accumulator is a value here: the tensor that gets the sum is the one it is assigned to.
  const bool accumulates = op.getName().ends_with("_acc") || op.getName() == "tensor.gather_row";
  return {op.getName() != "tensor.write", !accumulates};
}

Usage usageOf(Value tensor) {
  Usage usage;
  SmallVector<Value> aliases{tensor};
  DenseSet<Value> seen;
  while (!aliases.empty()) {
    Value alias = aliases.pop_back_val();
    if (!seen.insert(alias).second) {
      continue;
    }
    for (OpOperand &use : alias.getUses()) {
      unsigned number = use.getOperandNumber();
      TypeSwitch<Operation *>(use.getOwner())
          .Case([&](TileStoreOp op) {
            usage.writes = true;
            aliases.push_back(op.getResult());
          })
          .Case([&](TensorAssembleOp op) {
            if (op.getTarget() == alias) {
              usage.writes = true;
              aliases.push_back(op.getResult());
            }
            usage.reads |= op.getSource() == alias;
          })
          .Case([&](scf::ForOp op) {
            unsigned init = number - op.getNumControlOperands();
            aliases.push_back(op.getRegionIterArgs()[init]);
            aliases.push_back(op.getResult(init));
          })
          .Case([&](scf::YieldOp op) {
            if (!isa<scf::WhileOp>(op->getParentOp())) {
              aliases.push_back(op->getParentOp()->getResult(number));
            }
          })
          .Case([&](func::CallOp op) {
            Usage callee = calleeUsage(op, number);
            usage.reads |= callee.reads;
            usage.writes |= callee.writes;
          })
          .Case<TensorSliceOp, TensorReshapeOp>([&](Operation *op) { aliases.push_back(op->getResult(0)); })
          .Case([&](GenericOp op) {
            Usage own = genericUsage(op, number);
            usage.reads |= own.reads;
            usage.writes |= own.writes;
            if (own.writes) {
              aliases.append(op->result_begin(), op->result_end());
            }
          })
          .Case<func::ReturnOp, YieldOp, DimOp>([](Operation *) {})
          .Default([&](Operation *) { usage.reads = true; });
    }
  }
  return usage;
}

} // namespace

void setDirections(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    Usage usage = isa<TensorType>(argument.getType()) ? usageOf(argument) : Usage{true, false};
    StringRef dir = usage.writes ? (usage.reads ? "inout" : "out") : "in";
    function.setArgAttr(argument.getArgNumber(), kDirAttr, StringAttr::get(function.getContext(), dir));
  }
}

} // namespace placid::pl
