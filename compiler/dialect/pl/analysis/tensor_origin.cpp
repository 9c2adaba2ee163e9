// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/tensor_origin.h"

#include "compiler/dialect/pl/analysis/tensor_view.h"
#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// The value one step nearer to the declaration, or null at the declaration.
Value previous(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
      unsigned number = argument.getArgNumber();
      return number == 0 ? Value() : loop.getInitArgs()[number - 1];
    }
    if (auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp())) {
      unsigned number = argument.getArgNumber();
      if (argument.getOwner() == loop.getBeforeBody()) {
        return loop.getInits()[number];
      }
      return loop.getConditionOp().getArgs()[number];
    }
    return {};
  }
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  return llvm::TypeSwitch<Operation *, Value>(tensor.getDefiningOp())
      .Case([](TensorSliceOp op) { return op.getSource(); })
      .Case([](TensorReshapeOp op) { return op.getSource(); })
      .Case([](TensorAssembleOp op) { return op.getTarget(); })
      .Case([](TileStoreOp op) { return op.getDest(); })
      .Case([&](scf::ForOp op) { return op.getInitArgs()[number]; })
      .Case([&](scf::WhileOp op) { return op.getConditionOp().getArgs()[number]; })
      .Case([&](scf::IfOp op) { return op.thenYield()->getOperand(number); })
      .Case([&](IncoreOp op) { return op.getBody().front().getTerminator()->getOperand(number); })
      .Case([&](func::CallOp op) -> Value {
        // A kernel hands back the tensor it was given to write: the last operand of the result's own type.
        for (Value operand : llvm::reverse(op.getOperands())) {
          if (operand.getType() == tensor.getType()) {
            return operand;
          }
        }
        return {};
      })
      .Default([](Operation *) { return Value(); });
}

template <class Attr> Attr declarationAttr(Value root, StringRef name) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function ? function.getArgAttrOfType<Attr>(argument.getArgNumber(), name) : Attr();
  }
  return root.getDefiningOp()->getAttrOfType<Attr>(name);
}

} // namespace

Value tensorRoot(Value tensor) {
  // A loop's body can yield its own argument, never an init; the chain of inits is finite. The bound is for bad IR.
  for (unsigned step = 0; step < (1U << 20); ++step) {
    Value next = previous(tensor);
    if (!next) {
      return tensor;
    }
    tensor = next;
  }
  return tensor;
}

Value tensorView(Value tensor) {
  for (unsigned step = 0; step < (1U << 20); ++step) {
    Value next = previous(tensor);
    if (!next || tensor.getDefiningOp<TensorSliceOp>() || tensor.getDefiningOp<TensorReshapeOp>()) {
      return tensor;
    }
    tensor = next;
  }
  return tensor;
}

Value memoryRoot(Value tensor) {
  Value root = tensorRoot(tensor);
  auto argument = dyn_cast<BlockArgument>(root);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto first = function ? function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kAliasAttr) : IntegerAttr();
  return first ? function.getArgument(static_cast<unsigned>(first.getInt())) : root;
}

TensorOrigin tensorOrigin(Value tensor) {
  Value root = tensorRoot(tensor);
  TensorOrigin out{root, valueName(tensor).str(), root.getLoc(), std::nullopt};
  if (out.name.empty()) {
    out.name = valueName(root).str();
  }
  if (out.name.empty()) {
    out.name = "tensor";
  }
  if (auto annotation = declarationAttr<LocationAttr>(root, kAnnotationAttr)) {
    out.annotation = Location(annotation);
  }
  if (auto binding = declarationAttr<LocationAttr>(root, kBindingAttr)) {
    out.binding = Location(binding);
  }
  return out;
}

} // namespace placid::pl
