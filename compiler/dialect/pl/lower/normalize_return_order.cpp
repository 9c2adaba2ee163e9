// SPDX-License-Identifier: Apache-2.0
// NormalizeReturnOrder: see passes.td. Works on signatures and calls, of kernels that were refused too: what their
// callers see does not depend on whether they are lowered. Knows nothing of tiles.
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"

#include "llvm/ADT/StringMap.h"
#include "mlir/IR/Builders.h"

#include <map>

namespace placid::pl {

#define GEN_PASS_DEF_NORMALIZERETURNORDER
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// What became of a function's results: the parameter that each of them is, and those that are handed back now.
struct Order {
  SmallVector<unsigned> parameters;          ///< Of each result as it was.
  std::map<unsigned, unsigned> resultNumber; ///< Of each parameter that is handed back; in the order of parameters.
};

bool isWritten(func::FuncOp function, unsigned parameter) {
  auto direction = function.getArgAttrOfType<StringAttr>(parameter, kDirAttr);
  return direction && direction.getValue() != "in";
}

/// Nullopt where a result is no parameter of the function's own type: the conversion says so.
std::optional<Order> orderOf(func::FuncOp function, func::ReturnOp ret) {
  Order out;
  for (Value value : ret.getOperands()) {
    auto argument = isa<TensorType>(value.getType()) ? dyn_cast<BlockArgument>(tensorRoot(value)) : BlockArgument();
    if (!argument || argument.getOwner() != &function.getBody().front() || argument.getType() != value.getType()) {
      return std::nullopt;
    }
    out.parameters.push_back(argument.getArgNumber());
    if (isWritten(function, argument.getArgNumber())) {
      out.resultNumber[argument.getArgNumber()] = 0;
    }
  }
  for (auto [number, entry] : llvm::enumerate(out.resultNumber)) {
    entry.second = static_cast<unsigned>(number);
  }
  return out;
}

bool isInOrder(const Order &order) {
  return order.parameters.size() == order.resultNumber.size() && llvm::is_sorted(order.parameters);
}

/// An argument can stand for a result that is no longer there.
bool keepsTypes(func::CallOp call, const Order &order) {
  return llvm::all_of(llvm::zip_equal(call.getResults(), order.parameters), [&](auto pair) {
    auto [result, parameter] = pair;
    return order.resultNumber.count(parameter) != 0 || call.getOperand(parameter).getType() == result.getType();
  });
}

void reorder(func::FuncOp function, func::ReturnOp ret, const Order &order) {
  SmallVector<Value> values(order.resultNumber.size());
  SmallVector<Type> types(order.resultNumber.size());
  for (auto [value, parameter] : llvm::zip_equal(ret.getOperands(), order.parameters)) {
    if (auto found = order.resultNumber.find(parameter); found != order.resultNumber.end()) {
      // Of one tensor under two names any will do; the one that stands last has all writes behind it.
      values[found->second] = value;
      types[found->second] = value.getType();
    }
  }
  ret.getOperandsMutable().assign(values);
  function.setFunctionType(FunctionType::get(function.getContext(), function.getArgumentTypes(), types));
  function.removeResAttrsAttr();
}

void reorder(func::CallOp call, const Order &order) {
  OpBuilder builder(call);
  SmallVector<Type> types(order.resultNumber.size());
  for (auto [result, parameter] : llvm::zip_equal(call.getResults(), order.parameters)) {
    if (auto found = order.resultNumber.find(parameter); found != order.resultNumber.end()) {
      types[found->second] = result.getType();
    }
  }
  auto made = func::CallOp::create(builder, call.getLoc(), call.getCallee(), types, call.getOperands());
  made->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  for (auto [result, parameter] : llvm::zip_equal(call.getResults(), order.parameters)) {
    auto found = order.resultNumber.find(parameter);
    // What a function only reads comes back as it was given.
    result.replaceAllUsesWith(found == order.resultNumber.end() ? call.getOperand(parameter)
                                                                : made.getResult(found->second));
  }
  call.erase();
}

struct NormalizeReturnOrder : impl::NormalizeReturnOrderBase<NormalizeReturnOrder> {
  void runOnOperation() override {
    llvm::StringMap<SmallVector<func::CallOp>> callers;
    getOperation().walk([&](func::CallOp call) { callers[call.getCallee()].push_back(call); });
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto kind = function->getAttrOfType<StringAttr>(kKindAttr);
      if (!kind || kind.getValue() != "incore" || function.isExternal()) {
        continue;
      }
      auto ret = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
      const std::optional<Order> order = ret ? orderOf(function, ret) : std::nullopt;
      if (!order || isInOrder(*order) ||
          !llvm::all_of(callers[function.getName()], [&](func::CallOp call) { return keepsTypes(call, *order); })) {
        continue;
      }
      reorder(function, ret, *order);
      for (func::CallOp call : callers[function.getName()]) {
        reorder(call, *order);
      }
    }
  }
};

} // namespace

} // namespace placid::pl
