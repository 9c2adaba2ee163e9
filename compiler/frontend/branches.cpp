// SPDX-License-Identifier: Apache-2.0
// `if`: a constant condition keeps only the live branch; otherwise both are built and the names that are read
// afterwards become results of scf.if.
#include "compiler/frontend/frame.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

std::vector<std::string> KernelBuilder::liveAfter(const std::vector<std::string> &assigned) const {
  std::vector<std::string> out;
  for (const std::string &name : assigned) {
    if (frame_->next.isLive(name)) {
      out.push_back(name);
    }
  }
  return out;
}

std::optional<Val> KernelBuilder::mergeTypes(std::string_view name, const Variable &onThen, const Variable &onElse) {
  const Val &a = onThen.value;
  const Val &b = onElse.value;
  auto number = [](const Val &v) { return v.isConst() && v.constant.isNumber(); };
  Val out;
  if ((a.isScalar() || number(a)) && (b.isScalar() || number(b))) {
    pl::DType dtype = a.isScalar()           ? a.dtype
                      : b.isScalar()         ? b.dtype
                      : a.constant.isFloat() ? pl::DType::F32
                      : a.constant.isBool()  ? pl::DType::Bool
                                             : pl::DType::Index;
    out.kind = Val::Kind::Scalar;
    out.dtype = dtype;
    return out;
  }
  if (a.isTask() && b.isTask()) {
    return Val::ofTask();
  }
  bool runtime = a.isRuntime() && b.isRuntime();
  if (runtime && a.ir.getType() == b.ir.getType()) {
    out = a;
    out.ragged |= b.ragged;
    out.open |= b.open;
    return out;
  }
  if (runtime && !surelyDiffer(a.ir.getType(), b.ir.getType())) {
    gap(onElse.bound, "`" + std::string(name) + "`, whose extents differ in form between the branches,");
    return std::nullopt;
  }
  // Only a name that is read afterwards comes here: what it is would depend on the branch taken.
  diag::Diagnostic &d = reporter_.report(diag::Reassignment, onElse.bound, std::string(name), describe(a), describe(b));
  reporter_.note(d, onThen.bound, "the other branch binds it here", diag::Related::Role::Binding);
  return std::nullopt;
}

namespace {

/// The `names = pl.yield_(…)` that stands at the top level of a branch.
const Stmt *yieldOf(const std::vector<const Stmt *> &branch, llvm::function_ref<bool(const Expr *)> isYield) {
  for (const Stmt *stmt : branch) {
    if (stmt->kind == Stmt::Kind::Assign && stmt->targets.size() == 1 && isYield(stmt->value)) {
      return stmt;
    }
    bool transparent = stmt->kind == Stmt::Kind::With && !stmt->items.empty();
    if (const Stmt *inner = transparent ? yieldOf(stmt->body, isYield) : nullptr) {
      return inner;
    }
  }
  return nullptr;
}

std::vector<std::string> namesOf(const Expr &target) {
  std::vector<std::string> out;
  bool several = target.kind == Expr::Kind::Tuple || target.kind == Expr::Kind::List;
  for (const Expr *name : several ? target.children : std::vector<const Expr *>{&target}) {
    out.push_back(syntax::spell(*name));
  }
  return out;
}

} // namespace

/// Branches that yield bind the same names in the same order.
void KernelBuilder::checkBranchYields(const Stmt &stmt) {
  auto isYield = [&](const Expr *value) { return value && pathOf(value) == "pl.yield_"; };
  const Stmt *onThen = yieldOf(stmt.body, isYield);
  const Stmt *onElse = yieldOf(stmt.orelse, isYield);
  if (!onThen && !onElse) {
    return;
  }
  for (const Stmt *side : {onThen, onElse}) {
    size_t values = side ? side->value->children.size() - 1 : 0;
    size_t names = side ? namesOf(*side->targets[0]).size() : 0;
    if (values != names) {
      reporter_.report(diag::YieldMismatch, side->value->range,
                       std::to_string(values) + " values are yielded to " + std::to_string(names) + " names");
      return;
    }
  }
  const Stmt &there = onThen ? *onThen : *onElse;
  if (!onThen || !onElse) {
    bool chain = stmt.orelse.size() == 1 && stmt.orelse[0]->kind == Stmt::Kind::If;
    if (onThen && chain) {
      return; // an elif chain: each of its parts is looked at by itself
    }
    diag::Diagnostic &d =
        reporter_.report(diag::YieldMismatch, there.targets[0]->range,
                         "`" + syntax::spell(*there.targets[0]) + "` is yielded by one branch of an `if` alone");
    reporter_.note(d, stmt.value->range,
                   onThen ? "without it there is no value when this is false"
                          : "without it there is no value when this is true");
    return;
  }
  if (namesOf(*onThen->targets[0]) != namesOf(*onElse->targets[0])) {
    diag::Diagnostic &d = reporter_.report(diag::YieldMismatch, onElse->targets[0]->range,
                                           "this branch yields `" + syntax::spell(*onElse->targets[0]) +
                                               "`, the other one `" + syntax::spell(*onThen->targets[0]) + "`");
    reporter_.note(d, onThen->targets[0]->range, "the other branch yields these names");
  }
}

/// A name that is a result of a branch.
struct KernelBuilder::Joined {
  std::string name;
  Val after; ///< Its `ir` is set once the operation with results exists.
  source::ByteRange bound;
  mlir::Value onThen, onElse;
};

/// Binds `name` after a branch where both sides leave one thing in it, or nothing usable. True: it needs a result.
bool KernelBuilder::bindJoined(const std::string &name, const Variable &onThen, const Variable &onElse, Joined &out) {
  const Val &a = onThen.value;
  const Val &b = onElse.value;
  if (a.kind == Val::Kind::Array && b.kind == Val::Kind::Array && a.arrayExtent() == b.arrayExtent() &&
      a.arrayDtype() == b.arrayDtype()) {
    env_.set(name, onThen); // arrays are written by index
    forgetInside(env_[name].value);
    return false;
  }
  bool sameConst = a.isConst() && b.isConst() && a.constant.isNumber() && b.constant.isNumber() &&
                   a.constant.kind == b.constant.kind && a.constant.integer == b.constant.integer &&
                   a.constant.real == b.constant.real;
  if (sameConst || (a.isRuntime() && b.isRuntime() && a.ir == b.ir)) {
    env_.set(name, onThen);
    return false;
  }
  std::optional<Val> merged;
  if (!a.isPoison() && !b.isPoison()) {
    merged = mergeTypes(name, onThen, onElse);
  }
  if (!merged || !merged->isRuntime()) {
    env_.set(name, {merged ? *merged : Val::poison(), onThen.bound, ""});
    return false;
  }
  out = {name, *merged, onThen.bound, nullptr, nullptr};
  return true;
}

/// The value that each side of `draft` yields for `joined`. False, and reported: the two differ in type.
bool KernelBuilder::yieldJoined(mlir::scf::IfOp draft, const Variable &onThen, const Variable &onElse, Joined &joined) {
  auto value = [&](const Variable &side, mlir::Block *where) {
    builder_.setInsertionPoint(where->getTerminator());
    if (!joined.after.isScalar()) {
      return side.value.ir;
    }
    return side.value.isScalar() ? castScalar(side.value, joined.after.dtype, side.bound).ir
                                 : materialize(side.value, joined.after.dtype, side.bound);
  };
  joined.onThen = value(onThen, draft.thenBlock());
  joined.onElse = value(onElse, draft.elseBlock());
  if (joined.onThen && joined.onElse && joined.onThen.getType() == joined.onElse.getType()) {
    return true;
  }
  if (joined.onThen && joined.onElse) {
    diag::Diagnostic &d =
        reporter_.report(diag::Reassignment, onElse.bound, joined.name, describe(onThen.value), describe(onElse.value));
    reporter_.note(d, onThen.bound, "the other branch binds it here", diag::Related::Role::Binding);
  }
  return false;
}

/// What names hold after the two sides of `draft`; those that need it as results of the branch.
std::vector<KernelBuilder::Joined> KernelBuilder::joinBranches(const Stmt &stmt, mlir::scf::IfOp draft, Env &thenEnv,
                                                               Env &elseEnv) {
  std::vector<std::string> assigned = cache_->assignedNames(stmt.body);
  for (const std::string &name : cache_->assignedNames(stmt.orelse)) {
    if (std::find(assigned.begin(), assigned.end(), name) == assigned.end()) {
      assigned.push_back(name);
    }
  }
  std::vector<Joined> results;
  for (const std::string &name : liveAfter(assigned)) {
    const Variable *onThen = thenEnv.find(name);
    const Variable *onElse = elseEnv.find(name);
    if (!onThen && !onElse) {
      // A write to a window of what nothing bound, reported there.
      env_.set(name, {Val::poison(), stmt.value->range, ""});
      continue;
    }
    if (!onThen || !onElse) {
      const Variable &known = onThen ? *onThen : *onElse;
      env_.set(name, {Val::poison(), known.bound, known.value.isPoison() ? "" : "branch"});
      continue;
    }
    Joined joined;
    if (!bindJoined(name, *onThen, *onElse, joined)) {
      continue;
    }
    if (!yieldJoined(draft, *onThen, *onElse, joined)) {
      env_.set(name, {Val::poison(), onThen->bound, ""});
      continue;
    }
    results.push_back(std::move(joined));
  }
  return results;
}

void KernelBuilder::ifStatement(const Stmt &stmt) {
  Val condition = expression(*stmt.value);
  if (condition.isConst() && condition.constant.isNumber()) {
    block(condition.constant.truthy() ? stmt.body : stmt.orelse);
    return;
  }
  checkBranchYields(stmt);
  mlir::Value flag = toBool(condition, *stmt.value);
  if (!flag) {
    // Still check both branches; what they assign is unknown afterwards.
    Env outer = env_;
    block(stmt.body);
    env_ = outer;
    block(stmt.orelse);
    env_ = std::move(outer);
    poisonAssigned(stmt.body);
    poisonAssigned(stmt.orelse);
    return;
  }
  mlir::Location at = loc(stmt.value->range);
  auto draft = mlir::scf::IfOp::create(builder_, at, mlir::TypeRange{}, flag, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  Env outer = env_;
  builder_.setInsertionPoint(draft.thenBlock()->getTerminator());
  block(stmt.body);
  Env thenEnv = std::exchange(env_, outer);
  builder_.setInsertionPoint(draft.elseBlock()->getTerminator());
  block(stmt.orelse);
  Env elseEnv = std::exchange(env_, outer);

  std::vector<Joined> results = joinBranches(stmt, draft, thenEnv, elseEnv);
  if (results.empty()) {
    return;
  }
  // The types of the results are known only now: a second operation takes over the regions.
  llvm::SmallVector<mlir::Value> thenValues;
  llvm::SmallVector<mlir::Value> elseValues;
  llvm::SmallVector<mlir::Type> types;
  std::vector<std::string> names;
  for (const Joined &joined : results) {
    thenValues.push_back(joined.onThen);
    elseValues.push_back(joined.onElse);
    types.push_back(joined.onThen.getType());
    names.push_back(joined.name);
  }
  builder_.setInsertionPoint(draft);
  auto made = mlir::scf::IfOp::create(builder_, at, types, flag, /*withElseRegion=*/true);
  made.getThenRegion().takeBody(draft.getThenRegion());
  made.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  made.thenBlock()->getTerminator()->setOperands(thenValues);
  made.elseBlock()->getTerminator()->setOperands(elseValues);
  nameResults(made, names);
  for (auto [i, joined] : llvm::enumerate(results)) {
    joined.after.ir = made.getResult(static_cast<unsigned>(i));
    env_.set(joined.name, {joined.after, joined.bound, ""});
  }
}

} // namespace placid::frontend
