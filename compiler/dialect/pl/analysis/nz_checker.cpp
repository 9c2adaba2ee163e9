// SPDX-License-Identifier: Apache-2.0
// The walk over a module, the checks of NZ declarations, and how a refusal travels.
#include "compiler/dialect/pl/analysis/nz_checker.h"

#include "compiler/dialect/pl/analysis/nz_annotation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace placid::pl {

namespace {

std::string functionName(func::FuncOp function) {
  auto entry = function->getAttrOfType<StringAttr>(kEntryAttr);
  return entry ? entry.getValue().str() : function.getName().str();
}

NzExpr extentExpr(Attribute extent) {
  if (auto value = dyn_cast<IntegerAttr>(extent)) {
    return value.getInt();
  }
  return cast<StringAttr>(extent).getValue().str();
}

/// One thing that is wrong with a declaration.
struct Fault {
  diag::Code code;
  std::string message;
  std::string help;
};

template <class... Args>
Fault fault(std::string help, diag::Kind<Args...> kind, const std::type_identity_t<Args> &...args) {
  return {kind.code, diag::message(kind, args...), std::move(help)};
}

void planeFaults(TensorType type, const std::string &name, SmallVectorImpl<Fault> &out) {
  unsigned rank = type.getRank();
  int64_t c0 = *c0Elements(type.getDtype());
  Attribute rowsAttr = type.getDims()[rank - 2];
  Attribute colsAttr = type.getDims()[rank - 1];
  std::optional<int64_t> rows = type.getExtent(rank - 2);
  std::optional<int64_t> cols = type.getExtent(rank - 1);
  auto symbol = [](Attribute extent) { return cast<StringAttr>(extent).getValue().str(); };
  std::string staticHelp = "declare a static extent, or keep the dynamic one as the single leading axis";
  if (!rows) {
    out.push_back(fault(staticHelp, diag::NzDynamicPlane, "shape[-2]", name, symbol(rowsAttr), kFractalRows));
  }
  if (!cols) {
    out.push_back(fault(staticHelp, diag::NzDynamicPlane, "shape[-1]", name, symbol(colsAttr), c0));
  }
  if (rows && (*rows <= 0 || *rows % kFractalRows != 0)) {
    out.push_back(fault("pad the rows to a multiple of 16", diag::NzRowsAlign, "shape[-2]", name, *rows));
  }
  if (cols && (*cols <= 0 || *cols % c0 != 0)) {
    out.push_back(fault("pad the columns to a multiple of " + std::to_string(c0), diag::NzColsAlign, "shape[-1]", name,
                        *cols, c0, plName(type.getDtype()).str()));
  }
  if (rank > 3) {
    for (unsigned axis = 0; axis + 2 < rank; ++axis) {
      if (!type.getExtent(axis)) {
        out.push_back(fault("make the folded axes static, or use rank 3 with the dynamic axis as the batch",
                            diag::NzFoldDynamic, axis, name, symbol(type.getDims()[axis]), rank));
      }
    }
  }
  const std::optional<int64_t> count = staticProduct(type.getDims());
  if (!count) {
    out.push_back(fault("", diag::BadAnnotation, "NZ tensor `" + name + "` has more elements than 64 bits can count"));
  } else if (*count > INT64_MAX / (bitWidth(type.getDtype()) / 8)) {
    out.push_back(fault("", diag::BadAnnotation, "NZ tensor `" + name + "` has more bytes than 64 bits can count"));
  }
}

/// All faults of a declaration, the first in the order of the rule list first.
SmallVector<Fault> declarationFaults(TensorType type, const std::string &name) {
  SmallVector<Fault> out;
  std::string dtype = plName(type.getDtype()).str();
  if (type.getDistributed()) {
    out.push_back(fault("declare the window ND", diag::NzDistributed, name));
  }
  if (type.getRank() < 2) {
    out.push_back(fault("declare it with rows and columns, or ND", diag::NzRank, name, type.getRank()));
    return out;
  }
  if (!c0Elements(type.getDtype())) {
    out.push_back(fault("declare it ND", diag::NzSubByte, name, dtype));
    return out;
  }
  planeFaults(type, name, out);
  if (!type.getValid().empty()) {
    out.push_back(
        fault("drop valid_shape from the type and give it to each load", diag::NzValidShape,
              "NZ tensor `" + name + "` has a valid_shape in its type: a partial NZ tensor has no blocked form"));
  }
  if (!type.getStrides().empty()) {
    out.push_back(fault("drop the stride", diag::NzStride, name));
  }
  return out;
}

} // namespace

void NzChecker::annotate(bridge::DiagBuilder &builder, const TensorOrigin &origin) { annotateNz(builder, origin); }

//===-- Declarations ----------------------------------------------------------------------------------------------===//

NzChecker::Slug NzChecker::checkDeclaration(Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  TensorOrigin origin = tensorOrigin(tensor);
  SmallVector<Fault> faults = declarationFaults(type, origin.name);
  if (faults.empty()) {
    return {};
  }
  failed_ = true;
  poisoned_.insert(tensor);
  const diag::CatalogRow *row = diag::find(faults.front().code);
  bridge::DiagBuilder builder(origin.annotation, row->code, row->severity, faults.front().message);
  annotate(builder, origin);
  for (const Fault &more : ArrayRef(faults).drop_front()) {
    builder.note(origin.annotation, "also: " + more.message);
  }
  for (const Fault &each : faults) {
    if (!each.help.empty()) {
      builder.help(each.help);
    }
  }
  return {row->slug.data(), row->slug.size()};
}

void NzChecker::reportTensor(Value tensor, func::FuncOp function, Slug rejected) {
  auto type = dyn_cast<TensorType>(tensor.getType());
  if (!report_ || !type) {
    return;
  }
  TensorOrigin origin = tensorOrigin(tensor);
  NzTensorFact fact;
  fact.name = origin.name;
  fact.function = functionName(function);
  fact.annotation = origin.annotation;
  if (Operation *op = tensor.getDefiningOp()) {
    if (auto own = op->getAttrOfType<LocationAttr>(kAnnotationAttr)) {
      fact.annotation = own; // a local with an annotation of its own
    }
  }
  fact.layout = plName(type.getLayout()).str();
  fact.dtype = plName(type.getDtype()).str();
  fact.rejected = rejected.str();
  llvm::transform(type.getDims(), std::back_inserter(fact.logical), extentExpr);
  if (type.isNz()) {
    fact.c0 = c0Elements(type.getDtype()).value_or(0);
    if (TensorType blocked = rejected.empty() ? blockedType(type) : TensorType()) {
      llvm::transform(blocked.getDims(), std::back_inserter(fact.blocked), extentExpr);
      for (int64_t stride : blockedStrides(*nzPlane(type))) {
        fact.strides.emplace_back(stride);
      }
    }
  }
  report_->tensors.push_back(std::move(fact));
}

//===-- The walk --------------------------------------------------------------------------------------------------===//

SmallVector<func::FuncOp> NzChecker::callersFirst() {
  SmallVector<func::FuncOp> functions(module_.getOps<func::FuncOp>());
  SmallVector<func::FuncOp> postOrder;
  DenseSet<Operation *> seen;
  // Depth first over calls, without recursion: a function is listed after its callees; the list is then reversed.
  for (func::FuncOp start : llvm::reverse(functions)) {
    SmallVector<std::pair<func::FuncOp, bool>> stack{{start, false}};
    while (!stack.empty()) {
      auto [function, done] = stack.pop_back_val();
      if (done) {
        postOrder.push_back(function);
        continue;
      }
      if (!seen.insert(function).second) {
        continue;
      }
      stack.emplace_back(function, true);
      function.walk([&](func::CallOp call) {
        if (auto callee = module_.lookupSymbol<func::FuncOp>(call.getCallee())) {
          stack.emplace_back(callee, false);
        }
      });
    }
  }
  return {postOrder.rbegin(), postOrder.rend()};
}

LogicalResult NzChecker::run() {
  for (func::FuncOp function : callersFirst()) {
    if (!function.isDeclaration() && !function->hasAttr(kNzBlockedAttr)) {
      checkFunction(function);
    }
  }
  return failure(failed_);
}

void NzChecker::checkFunction(func::FuncOp function) {
  bool declares = !function->hasAttr(kOutlinedAttr);
  for (Value argument : function.getArguments()) {
    if (!declares) {
      break; // a captured tensor is judged where it is declared
    }
    Slug slug = isNz(argument.getType()) && !isPoisoned(argument) ? checkDeclaration(argument) : Slug();
    reportTensor(argument, function, slug);
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

/// A refusal goes with the value: from inits to loop variables, from branches to results.
void NzChecker::flow(ValueRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip(from, to)) {
    if (isPoisoned(source)) {
      poisoned_.insert(target);
    }
  }
}

void NzChecker::visitCall(func::CallOp call) {
  auto callee = module_.lookupSymbol<func::FuncOp>(call.getCallee());
  if (callee && !callee.isDeclaration()) {
    flow(call.getOperands(), callee.getArguments());
  }
  // A kernel hands back what it was given to write.
  for (Value result : call.getResults()) {
    if (isNz(result.getType()) && llvm::any_of(call.getOperands(), [&](Value v) { return isPoisoned(v); })) {
      poisoned_.insert(result);
    }
  }
}

template <class Check> void NzChecker::judge(Operation *op, Value tensor, StringRef name, Check check) {
  auto type = cast<TensorType>(tensor.getType());
  std::optional<NzPlane> plane = nzPlane(type);
  auto poisonResults = [&] {
    for (Value result : op->getResults()) {
      if (!isa<TileStoreOp>(op)) { // a store's result is the destination, which stays what it was declared
        poisoned_.insert(result);
      }
    }
  };
  if (isPoisoned(tensor)) {
    poisoned_.insert(op->result_begin(), op->result_end());
    return;
  }
  if (!plane || !blockedType(type)) {
    // Only a refused declaration leads here; without one the IR is ours to answer for.
    bridge::emitDiag(op->getLoc(), diag::InternalError, "an NZ tensor without a blocked form reached an access");
    failed_ = true;
    poisonResults();
    return;
  }
  Access access{op, type, tensorOrigin(tensor), *plane, {}};
  access.fact.op = name.str();
  access.fact.tensor = access.origin.name;
  access.fact.range = op->getLoc();
  Slug slug = check(access);
  if (!slug.empty()) {
    access.fact.rejected = slug.str();
    access.fact.offsets.clear();
    access.fact.sizes.clear();
    access.fact.proof.clear();
    access.fact.gapBlocks.reset();
    poisonResults();
  } else if (op->hasAttr(kAnnotationAttr) && isa<TensorSliceOp>(op)) {
    reportTensor(op->getResult(0), op->getParentOfType<func::FuncOp>(), {});
  }
  if (report_ && !access.fact.op.empty()) {
    report_->accesses.push_back(std::move(access.fact));
  }
}

/// The load whose fractals the tile shows, itself or in a view or window.
static TileLoadOp loadOf(Value tile) {
  for (Operation *op = tile.getDefiningOp(); op; op = tile.getDefiningOp()) {
    auto generic = dyn_cast<GenericOp>(op);
    const bool shows =
        isa<TileReshapeOp, TileTransposeViewOp, TileExtractOp>(op) ||
        (generic && llvm::is_contained({"tile.set_validshape", "tile.slice", "tile.extract"}, generic.getName()));
    if (!shows || op->getNumOperands() == 0) {
      return dyn_cast<TileLoadOp>(op);
    }
    tile = op->getOperand(0);
  }
  return {};
}

void NzChecker::visitTileReshape(TileReshapeOp reshape) {
  if (isPoisoned(reshape.getSource())) {
    poisoned_.insert(reshape.getResult());
    return;
  }
  auto load = loadOf(reshape.getSource());
  if (load && isNz(load.getSource().getType()) &&
      reshape.getSource().getType().getShape() != reshape.getResult().getType().getShape()) {
    judge(reshape, load.getSource(), "reshape", [&](Access &access) { return checkTileReshape(reshape, access); });
  }
}

void NzChecker::visit(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](TileLoadOp load) {
        if (isNz(load.getSource().getType())) {
          judge(op, load.getSource(), "load", [&](Access &access) { return checkLoad(load, access); });
        }
      })
      .Case([&](TileStoreOp store) {
        if (isNz(store.getDest().getType())) {
          judge(op, store.getDest(), "store", [&](Access &access) { return checkStore(store, access); });
        }
      })
      .Case([&](TensorSliceOp slice) {
        if (isNz(slice.getSource().getType())) {
          judge(op, slice.getSource(), "slice", [&](Access &access) { return checkSlice(slice, access); });
        }
      })
      .Case([&](TensorReshapeOp reshape) {
        if (isNz(reshape.getSource().getType())) {
          judge(op, reshape.getSource(), "reshape", [&](Access &access) { return checkReshape(reshape, access); });
        }
      })
      .Case([&](TileReshapeOp reshape) { visitTileReshape(reshape); })
      .Case([&](TensorCreateOp create) {
        if (isNz(create.getType())) {
          reportTensor(create, create->getParentOfType<func::FuncOp>(), checkDeclaration(create));
        }
      })
      .Case([&](func::CallOp call) { visitCall(call); })
      .Case([&](scf::ForOp loop) {
        flow(loop.getInitArgs(), loop.getRegionIterArgs());
        flow(loop.getInitArgs(), loop.getResults());
      })
      .Case([&](scf::WhileOp loop) { flow(loop.getInits(), loop.getBeforeArguments()); })
      .Case([&](scf::ConditionOp condition) {
        auto loop = cast<scf::WhileOp>(condition->getParentOp());
        flow(condition.getArgs(), loop.getAfterArguments());
        flow(condition.getArgs(), loop.getResults());
      })
      .Case([&](scf::YieldOp yield) {
        if (!isa<scf::WhileOp>(yield->getParentOp())) {
          flow(yield.getOperands(), yield->getParentOp()->getResults());
        }
      })
      .Case([&](YieldOp yield) { flow(yield.getOperands(), yield->getParentOp()->getResults()); })
      .Case<func::FuncOp, func::ReturnOp, scf::IfOp, IncoreOp, DimOp>([](Operation *) {})
      .Default([&](Operation *) {
        for (OpOperand &operand : op->getOpOperands()) {
          if (isNz(operand.get().getType()) && !isPoisoned(operand.get())) {
            judge(op, operand.get(), "", [&](Access &access) { return checkConsumer(op, operand, access); });
            return; // one error per op
          }
        }
      });
}

} // namespace placid::pl
