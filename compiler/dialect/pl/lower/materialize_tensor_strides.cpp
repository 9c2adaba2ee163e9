// SPDX-License-Identifier: Apache-2.0
// MaterializeTensorStrides: see passes.td. Types are replaced value by value over the whole module, because a type's
// strides depend on the type alone: signatures, calls and loops stay consistent.
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <numeric>

namespace placid::pl {

#define GEN_PASS_DEF_MATERIALIZETENSORSTRIDES
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// `[B, C/c0, R/16, 16, c0]`: what every NZ type is after blocking.
bool isBlocked(TensorType type) {
  std::optional<int64_t> c0 = c0Elements(type.getDtype());
  return type.getRank() == 5 && c0 && type.getExtent(3) == kFractalRows && type.getExtent(4) == *c0;
}

/// `extent * inner`, or null where no attribute says it: a product of a symbol with something else, or one beyond 64
/// bits.
Attribute multiply(Attribute extent, Attribute inner) {
  auto a = dyn_cast<IntegerAttr>(extent);
  auto b = dyn_cast<IntegerAttr>(inner);
  if (a && a.getInt() == 1) {
    return inner;
  }
  if (b && b.getInt() == 1) {
    return extent;
  }
  if (!a || !b) {
    return {};
  }
  const int64_t product = target::saturatingMul(a.getInt(), b.getInt());
  return product == target::kSaturated ? Attribute() : extentAttr(extent.getContext(), product);
}

/// The packed strides of a dense tensor; empty where they cannot be written as attributes.
SmallVector<Attribute> packedStrides(TensorType type) {
  const unsigned rank = type.getRank();
  SmallVector<unsigned> order(rank);
  std::iota(order.begin(), order.end(), 0u);
  if (type.getLayout() == Layout::DN && rank >= 2) {
    std::swap(order[rank - 1], order[rank - 2]);
  }
  SmallVector<Attribute> strides(rank);
  Attribute stride = extentAttr(type.getContext(), 1);
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    if (!stride) {
      return {};
    }
    strides[*axis] = stride;
    stride = multiply(type.getDims()[*axis], stride);
  }
  return strides;
}

Type withStrides(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || !tensor.getStrides().empty() || tensor.getDistributed() ||
      (tensor.getLayout() != Layout::ND && tensor.getLayout() != Layout::DN && !isBlocked(tensor))) {
    return type;
  }
  return TensorType::get(type.getContext(), tensor.getDims(), tensor.getDtype(), tensor.getLayout(),
                         packedStrides(tensor), tensor.getValid(), tensor.getDistributed());
}

struct MaterializeTensorStrides : impl::MaterializeTensorStridesBase<MaterializeTensorStrides> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (isLowerable(function)) {
        checkBlocked(function);
      }
      rewrite(function);
    }
  }

  /// That every NZ view is blocked is an order of passes, so a breach is this compiler's fault.
  static void checkBlocked(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<TensorType>(argument.getType());
      if (type && type.isNz() && !isBlocked(type)) {
        bridge::emitDiag(rangeLoc(argument.getLoc()), diag::InternalError,
                         "NZ tensor `" + nameOf(argument, "tensor") + "` reaches the strides without its blocked form");
        markFailed(function);
      }
    }
  }

  static void rewrite(func::FuncOp function) {
    auto set = [](Value value) { value.setType(withStrides(value.getType())); };
    function.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), set);
      for (Region &region : op->getRegions()) {
        for (Block &block : region) {
          llvm::for_each(block.getArguments(), set);
        }
      }
    });
    SmallVector<Type> inputs;
    SmallVector<Type> results;
    llvm::transform(function.getArgumentTypes(), std::back_inserter(inputs), withStrides);
    llvm::transform(function.getResultTypes(), std::back_inserter(results), withStrides);
    function.setType(FunctionType::get(function.getContext(), inputs, results));
  }
};

} // namespace

} // namespace placid::pl
