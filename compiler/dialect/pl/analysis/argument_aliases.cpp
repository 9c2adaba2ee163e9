// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/argument_aliases.h"

#include "compiler/dialect/pl/analysis/offset_form.h"
#include "compiler/dialect/pl/analysis/tensor_view.h"
#include "compiler/dialect/pl/ir/pl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// Both are windows of one view that lie apart along some axis.
bool areApart(Value a, Value b, OffsetForms &forms) {
  auto one = tensorView(a).getDefiningOp<TensorSliceOp>();
  auto other = tensorView(b).getDefiningOp<TensorSliceOp>();
  if (!one || !other || tensorView(one.getSource()) != tensorView(other.getSource())) {
    return false;
  }
  const SmallVector<OpFoldResult> begins = mixedList(one.getOffsets(), one.getStaticOffsets(), one.getContext());
  const SmallVector<OpFoldResult> others = mixedList(other.getOffsets(), other.getStaticOffsets(), one.getContext());
  for (size_t axis = 0; axis < std::min(begins.size(), others.size()); ++axis) {
    const std::optional<OffsetForm> begin = forms.formOf(begins[axis]);
    std::optional<OffsetForm> next = forms.formOf(others[axis]);
    const int64_t length = one.getStaticSizes()[axis];
    const int64_t otherLength = other.getStaticSizes()[axis];
    if (!begin || !next || length < 0 || otherLength < 0 || begin->lane != next->lane) {
      continue;
    }
    const int64_t distance = next->constant - begin->constant;
    next->constant = begin->constant;
    if (begin->beginsWith(*next) && (distance >= length || -distance >= otherLength)) {
      return true;
    }
  }
  return false;
}

/// The memory may be one: as far as the caller's own arguments are marked by now.
bool mayShare(Value a, Value b, OffsetForms &forms) { return memoryRoot(a) == memoryRoot(b) && !areApart(a, b, forms); }

/// Marks both arguments, and all that shared with one of them; true when that is news.
bool mark(func::FuncOp function, unsigned one, unsigned other) {
  auto firstOf = [&](unsigned number) {
    auto attr = function.getArgAttrOfType<IntegerAttr>(number, kAliasAttr);
    return attr ? static_cast<unsigned>(attr.getInt()) : number;
  };
  const unsigned first = std::min(firstOf(one), firstOf(other));
  const unsigned last = std::max(firstOf(one), firstOf(other));
  if (first == last) {
    return false;
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (firstOf(i) == last) {
      function.setArgAttr(i, kAliasAttr, Builder(function.getContext()).getI64IntegerAttr(first));
    }
  }
  return true;
}

} // namespace

void noteAliases(ModuleOp module) {
  SymbolTable symbols(module);
  SmallVector<std::pair<func::CallOp, func::FuncOp>> calls;
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal()) {
      calls.push_back({call, callee});
    }
  });
  OffsetForms forms;
  for (bool again = true; again;) { // what a caller is given twice, it hands on twice
    again = false;
    for (auto [call, callee] : calls) {
      const unsigned count = std::min(call.getNumOperands(), callee.getNumArguments());
      for (unsigned i = 0; i < count; ++i) {
        for (unsigned j = i + 1; j < count; ++j) {
          Value a = call.getOperand(i);
          Value b = call.getOperand(j);
          if (isa<TensorType>(a.getType()) && isa<TensorType>(b.getType()) && mayShare(a, b, forms)) {
            again |= mark(callee, i, j);
          }
        }
      }
    }
  }
}

} // namespace placid::pl
