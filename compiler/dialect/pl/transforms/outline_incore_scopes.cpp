// SPDX-License-Identifier: Apache-2.0
// OutlineIncoreScopes: one in-core function a `pl.incore` region.
#include "compiler/dialect/pl/analysis/directions.h"
#include "compiler/dialect/pl/analysis/nz_layout.h"
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/transforms/passes.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {
#define GEN_PASS_DEF_OUTLINEINCORESCOPES
#include "compiler/dialect/pl/transforms/passes.h.inc"
} // namespace placid::pl

using namespace mlir;

namespace placid::pl {

namespace {

/// Values from outside that the body reads, in the order it first reads them. Constants are not captured.
llvm::SetVector<Value> capturesOf(IncoreOp scope, llvm::SetVector<Operation *> &constants) {
  llvm::SetVector<Value> captures;
  scope.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (scope.getBody().isAncestor(operand.getParentRegion())) {
        continue;
      }
      if (Operation *def = operand.getDefiningOp(); def && def->hasTrait<OpTrait::ConstantLike>()) {
        constants.insert(def);
      } else {
        captures.insert(operand);
      }
    }
  });
  return captures;
}

bool isParameter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

struct OutlineIncoreScopes : impl::OutlineIncoreScopesBase<OutlineIncoreScopes> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      SmallVector<IncoreOp> scopes;
      function.walk<WalkOrder::PreOrder>([&](IncoreOp scope) {
        scopes.push_back(scope);
        return WalkResult::skip(); // a scope inside a scope is refused by the front end
      });
      Operation *after = function;
      for (auto [number, scope] : llvm::enumerate(scopes)) {
        after = outline(scope, function, number, symbols, after);
      }
    }
  }

  std::string freeName(IncoreOp scope, func::FuncOp parent, unsigned number, SymbolTable &symbols) {
    std::string base =
        scope.getNameHint() ? scope.getNameHint()->str() : parent.getName().str() + "_incore_" + std::to_string(number);
    auto taken = [&](const std::string &name) { return symbols.lookup<func::FuncOp>(name); };
    if (func::FuncOp other = taken(base)) {
      auto owner = other->getAttrOfType<StringAttr>(kOutlinedAttr);
      if (!owner || owner.getValue() != parent.getName()) {
        base = parent.getName().str() + "_" + base; // another function's
      }
    }
    std::string name = base;
    for (unsigned k = 1; taken(name); ++k) {
      name = base + "_" + std::to_string(k);
    }
    return name;
  }

  Operation *outline(IncoreOp scope, func::FuncOp parent, unsigned number, SymbolTable &symbols, Operation *after) {
    llvm::SetVector<Operation *> constants;
    llvm::SetVector<Value> captures = capturesOf(scope, constants);
    OpBuilder builder(scope);

    SmallVector<Type> inputs;
    for (Value capture : captures) {
      inputs.push_back(capture.getType());
    }
    auto type = builder.getFunctionType(inputs, scope.getResultTypes());
    auto function = func::FuncOp::create(scope.getLoc(), freeName(scope, parent, number, symbols), type);
    function->setAttr(kKindAttr, builder.getStringAttr("incore"));
    function->setAttr(kOutlinedAttr, builder.getStringAttr(parent.getName()));
    if (Attribute entry = parent->getAttr(kEntryAttr)) {
      function->setAttr(kEntryAttr, entry);
    }
    for (StringRef key : {StringRef(kSplitAttr), StringRef(kSlotsAttr), StringRef(kIncompleteAttr)}) {
      if (Attribute option = scope->getAttr(key)) {
        function->setAttr(key, option);
      }
    }
    symbols.insert(function, std::next(Block::iterator(after)));

    Block *body = new Block;
    function.getBody().push_back(body);
    OffsetProver outside(OffsetProver::Casts::Opaque, OffsetProver::Outside::Marked);
    OpBuilder inside = OpBuilder::atBlockEnd(body);
    for (auto [index, capture] : llvm::enumerate(captures)) {
      Value argument = body->addArgument(capture.getType(), capture.getLoc());
      describeArgument(function, index, captures.getArrayRef());
      if (isa<IndexType, IntegerType>(capture.getType()) && outside.isNonNegative(capture)) {
        function.setArgAttr(index, kNonNegativeAttr, builder.getUnitAttr());
      } else if (isa<IndexType, IntegerType>(capture.getType()) && !isParameter(capture)) {
        function.setArgAttr(index, kComputedOutsideAttr, builder.getUnitAttr());
      }
      replaceInside(scope, capture, argument);
    }
    for (Operation *constant : constants) {
      Operation *copy = inside.clone(*constant);
      replaceInside(scope, constant->getResult(0), copy->getResult(0));
    }
    Block &scopeBody = scope.getBody().front();
    body->getOperations().splice(body->end(), scopeBody.getOperations());
    auto yield = cast<YieldOp>(body->getTerminator());
    OpBuilder atEnd(yield);
    func::ReturnOp::create(atEnd, yield.getLoc(), yield.getOperands());
    yield.erase();
    setDirections(function);

    auto call = func::CallOp::create(builder, scope.getLoc(), function, captures.getArrayRef());
    nameResults(function, call);
    if (Value blocks = scope.getBlocks()) {
      std::optional<int64_t> count = getConstantIntValue(blocks);
      StringRef name = valueName(blocks);
      call->setAttr(kBlocksAttr, count ? Attribute(builder.getI64IntegerAttr(*count))
                                       : Attribute(builder.getStringAttr(name.empty() ? "?" : name)));
    }
    scope.replaceAllUsesWith(call.getResults());
    scope.erase();
    return function;
  }

  static void replaceInside(IncoreOp scope, Value from, Value to) {
    from.replaceUsesWithIf(
        to, [&](OpOperand &use) { return scope.getBody().isAncestor(use.getOwner()->getParentRegion()); });
  }

  /// What a call hands back is a tensor that it was given to write, under the name of that.
  void nameResults(func::FuncOp function, func::CallOp call) {
    auto handedBack = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    for (auto [result, returned] : llvm::zip_equal(call.getResults(), handedBack.getOperands())) {
      auto root = isa<TensorType>(returned.getType()) ? dyn_cast<BlockArgument>(tensorRoot(returned)) : BlockArgument();
      if (root && root.getOwner() == &function.getBody().front() && root.getType() == returned.getType()) {
        if (auto name = function.getArgAttrOfType<StringAttr>(root.getArgNumber(), kNameAttr)) {
          names_[result] = name;
        }
      }
    }
  }

  /// The name of a captured value; of a tensor that loops and branches have handed on, that of the tensor.
  StringAttr nameOf(Value capture) const {
    while (capture) {
      if (StringRef name = valueName(capture); !name.empty()) {
        return StringAttr::get(capture.getContext(), name);
      }
      if (auto known = names_.find(capture); known != names_.end()) {
        return known->second;
      }
      auto argument = dyn_cast<BlockArgument>(capture);
      auto loop = dyn_cast<scf::ForOp>(argument ? argument.getOwner()->getParentOp() : capture.getDefiningOp());
      if (!loop || !isa<TensorType>(capture.getType())) {
        return {};
      }
      capture = loop.getInitArgs()[argument ? argument.getArgNumber() - 1 : cast<OpResult>(capture).getResultNumber()];
    }
    return {};
  }

  /// Name, annotation and binding of a captured value, taken from where it was declared.
  void describeArgument(func::FuncOp function, unsigned index, ArrayRef<Value> captures) const {
    Value capture = captures[index];
    StringAttr name = nameOf(capture);
    // The tensor before and after something wrote it: it is the former's.
    const bool isTaken =
        name && valueName(capture).empty() && llvm::any_of(llvm::seq(captures.size()), [&](size_t i) {
          return valueName(captures[i]) == name || (i < index && function.getArgAttr(i, kNameAttr) == name);
        });
    if (name && !isTaken) {
      function.setArgAttr(index, kNameAttr, name);
    }
    if (isNz(capture.getType())) {
      TensorOrigin origin = tensorOrigin(capture);
      function.setArgAttr(index, kAnnotationAttr, LocationAttr(origin.annotation));
      if (origin.binding) {
        function.setArgAttr(index, kBindingAttr, LocationAttr(*origin.binding));
      }
    }
  }

  DenseMap<Value, StringAttr> names_; ///< Of what calls hand back. Not walked.
};

} // namespace

} // namespace placid::pl
