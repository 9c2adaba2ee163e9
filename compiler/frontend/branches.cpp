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
  bool runtime = a.isRuntime() && b.isRuntime();
  if (runtime && a.ir.getType() == b.ir.getType()) {
    out = a;
    out.ragged |= b.ragged;
    return out;
  }
  if (runtime) {
    diag::Diagnostic &d =
        reporter_.report(diag::Reassignment, onElse.bound, std::string(name), describe(a), describe(b));
    reporter_.note(d, onThen.bound, "the other branch binds it here", diag::Related::Role::Binding);
  } else if (a.kind != Val::Kind::Task && b.kind != Val::Kind::Task) {
    notSupported(onElse.bound, "`" + std::string(name) + "`, which is " + describe(a) + " or " + describe(b) +
                                   " by the branch taken,");
  }
  return std::nullopt;
}

void KernelBuilder::ifStatement(const Stmt &stmt) {
  Val condition = expression(*stmt.value);
  if (condition.isConst() && condition.constant.isNumber()) {
    block(condition.constant.truthy() ? stmt.body : stmt.orelse);
    return;
  }
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

  std::vector<std::string> assigned = assignedNames(stmt.body);
  for (const std::string &name : assignedNames(stmt.orelse)) {
    if (std::find(assigned.begin(), assigned.end(), name) == assigned.end()) {
      assigned.push_back(name);
    }
  }
  struct Phi {
    std::string name;
    Val type;
    source::ByteRange bound;
  };
  std::vector<Phi> phis;
  llvm::SmallVector<mlir::Value> thenValues;
  llvm::SmallVector<mlir::Value> elseValues;
  llvm::SmallVector<mlir::Type> types;
  for (const std::string &name : liveAfter(assigned)) {
    auto onThen = thenEnv.find(name);
    auto onElse = elseEnv.find(name);
    if (onThen == thenEnv.end() && onElse == elseEnv.end()) {
      // A write to a window of what nothing bound, reported there.
      env_[name] = {Val::poison(), stmt.value->range, ""};
      continue;
    }
    if (onThen == thenEnv.end() || onElse == elseEnv.end()) {
      const Variable &known = onThen != thenEnv.end() ? onThen->second : onElse->second;
      env_[name] = {Val::poison(), known.bound, known.value.isPoison() ? "" : "branch"};
      continue;
    }
    const Val &a = onThen->second.value;
    const Val &b = onElse->second.value;
    bool sameConst = a.isConst() && b.isConst() && a.constant.isNumber() && b.constant.isNumber() &&
                     a.constant.kind == b.constant.kind && a.constant.integer == b.constant.integer &&
                     a.constant.real == b.constant.real;
    if (sameConst || (a.isRuntime() && b.isRuntime() && a.ir == b.ir)) {
      env_[name] = onThen->second;
      continue;
    }
    std::optional<Val> merged;
    if (!a.isPoison() && !b.isPoison()) {
      merged = mergeTypes(name, onThen->second, onElse->second);
    }
    if (!merged) {
      env_[name] = {Val::poison(), onThen->second.bound, ""};
      continue;
    }
    auto value = [&](const Val &side, mlir::Block *where, source::ByteRange range) {
      builder_.setInsertionPoint(where->getTerminator());
      if (merged->isScalar()) {
        return side.isScalar() ? castScalar(side, merged->dtype, range).ir : materialize(side, merged->dtype, range);
      }
      return side.ir;
    };
    mlir::Value left = value(a, draft.thenBlock(), onThen->second.bound);
    mlir::Value right = value(b, draft.elseBlock(), onElse->second.bound);
    if (!left || !right || left.getType() != right.getType()) {
      env_[name] = {Val::poison(), onThen->second.bound, ""};
      continue;
    }
    thenValues.push_back(left);
    elseValues.push_back(right);
    types.push_back(left.getType());
    phis.push_back({name, *merged, onThen->second.bound});
  }
  if (phis.empty()) {
    return;
  }
  builder_.setInsertionPoint(draft);
  auto made = mlir::scf::IfOp::create(builder_, at, types, flag, /*withElseRegion=*/true);
  made.getThenRegion().takeBody(draft.getThenRegion());
  made.getElseRegion().takeBody(draft.getElseRegion());
  draft.erase();
  made.thenBlock()->getTerminator()->setOperands(thenValues);
  made.elseBlock()->getTerminator()->setOperands(elseValues);
  std::vector<std::string> names;
  for (const Phi &phi : phis) {
    names.push_back(phi.name);
  }
  nameResults(made, names);
  for (auto [i, phi] : llvm::enumerate(phis)) {
    Val after = phi.type;
    after.ir = made.getResult(static_cast<unsigned>(i));
    env_[phi.name] = {after, phi.bound, ""};
  }
}

} // namespace placid::frontend
