// SPDX-License-Identifier: Apache-2.0
// Loops. A name that an iteration hands to the next, or that is read after the loop, becomes an iteration argument of
// scf.for; all others stay local to the body, so that an offset computed in the body keeps its own definition.
#include "compiler/frontend/frame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {
constexpr unsigned kMaxUnrolledSteps = 4096;
} // namespace

std::string KernelBuilder::pathOf(const Expr *call) const {
  if (!call || call->kind != Expr::Kind::Call) {
    return "";
  }
  ConstValue value = staticValue(*call->children[0]);
  return value.kind == ConstValue::Kind::PlPath ? value.text : "";
}

void KernelBuilder::forStatement(const Stmt &stmt) {
  const Expr &iterator = *stmt.value;
  std::string path = pathOf(&iterator);
  if (!stmt.orelse.empty()) {
    reporter_.report(diag::NotAllowedInKernel, stmt.orelse.front()->range, "`else` of a loop");
  }
  if (path == "pl.range" || path == "pl.parallel" || path == "pl.pipeline") {
    counted(stmt, iterator, std::string_view(path).substr(3));
  } else if (path == "pl.unroll") {
    std::optional<std::vector<Val>> bounds = loopBounds(iterator);
    if (bounds) {
      unrolled(stmt, *bounds);
    } else {
      unknownBody(stmt);
    }
  } else if (path == "pl.spmd") {
    spmdFor(stmt, iterator);
  } else if (!path.empty() && (path == "pl.split_aiv" || path == "pl.while_")) {
    notSupported(iterator.range, "a loop over `" + path + "`");
    unknownBody(stmt);
  } else {
    if (iterator.kind == Expr::Kind::Call) {
      if (path.empty()) {
        expression(iterator); // says what is wrong with the call
      } else {
        reporter_.report(diag::UnknownOp, iterator.children[0]->range, path,
                         ": a loop runs over pl.range, pl.parallel, "
                         "pl.pipeline, pl.unroll or pl.spmd");
      }
    } else if (iterator.kind != Expr::Kind::Error) {
      reporter_.report(diag::NotAllowedInKernel, iterator.range,
                       "a loop over `" + syntax::spell(iterator) + "` (use pl.range)");
    }
    unknownBody(stmt);
  }
}

std::optional<std::vector<Val>> KernelBuilder::loopBounds(const Expr &iterator) {
  size_t given = iterator.children.size() - 1;
  std::string name = syntax::spell(*iterator.children[0]);
  if (given < 1 || given > 3) {
    reporter_.report(diag::WrongArguments, iterator.range, name,
                     "takes stop; start, stop; or start, stop, step, got " + std::to_string(given) + " arguments");
    return std::nullopt;
  }
  std::vector<Val> values;
  bool good = true;
  for (size_t i = 1; i <= given; ++i) {
    const Expr &expr = *iterator.children[i];
    Val value = expression(expr);
    bool integer = value.isInt() || (value.isScalar() && !pl::isFloat(value.dtype) && value.dtype != pl::DType::Bool);
    if (!integer && !value.isPoison()) {
      typeMismatch(expr.range, "a bound of `" + name + "`", "must be an integer scalar, got " + describe(value));
    }
    good &= integer;
    values.push_back(std::move(value));
  }
  if (!good) {
    return std::nullopt;
  }
  std::vector<Val> out{Val::ofConst(ConstValue::ofInt(0)), values[0], Val::ofConst(ConstValue::ofInt(1))};
  if (given >= 2) {
    out[0] = values[0];
    out[1] = values[1];
  }
  if (given == 3) {
    out[2] = values[2];
  }
  if (out[2].isInt() && out[2].constant.integer == 0) {
    reporter_.report(diag::ZeroStep, iterator.children[3]->range);
    return std::nullopt;
  }
  return out;
}

void KernelBuilder::unrolled(const Stmt &stmt, const std::vector<Val> &bounds) {
  const Expr &target = *stmt.targets[0];
  bool constant = std::all_of(bounds.begin(), bounds.end(), [](const Val &v) { return v.isInt(); });
  if (!constant || target.kind != Expr::Kind::Name) {
    reporter_.report(diag::LiteralRequired, stmt.value->range, "a bound of `pl.unroll`", "a constant");
    unknownBody(stmt);
    return;
  }
  int64_t begin = bounds[0].constant.integer;
  int64_t end = bounds[1].constant.integer;
  int64_t step = bounds[2].constant.integer;
  bool overflow = false;
  for (int64_t i = begin; !overflow && (step > 0 ? i < end : i > end); overflow = __builtin_add_overflow(i, step, &i)) {
    if (++unrolledSteps_ > kMaxUnrolledSteps) {
      notSupported(stmt.value->range, "unrolling more than " + std::to_string(kMaxUnrolledSteps) + " iterations");
      break;
    }
    bindName(target.text, target.range, Val::ofConst(ConstValue::ofInt(i)));
    block(stmt.body, BlockKind::Loop); // what a round reads early may be what the one before it left
  }
}

std::vector<std::string> KernelBuilder::bindInitValues(const Stmt &stmt, const Expr &iterator) {
  const Expr &target = *stmt.targets[0];
  const Expr *init = nullptr;
  for (const syntax::Keyword &keyword : iterator.keywords) {
    init = keyword.name == "init_values" ? keyword.value : init;
  }
  bool pair = target.kind == Expr::Kind::Tuple && target.children.size() == 2 &&
              target.children[0]->kind == Expr::Kind::Name && target.children[1]->kind == Expr::Kind::Tuple;
  if (!init && !pair) {
    return {};
  }
  if (!init || !pair || (init->kind != Expr::Kind::Tuple && init->kind != Expr::Kind::List) ||
      init->children.size() != target.children[1]->children.size()) {
    reporter_.report(diag::WrongArguments, init ? init->range : target.range, syntax::spell(*iterator.children[0]),
                     "with `init_values` is written `for i, (a, b) in …(…, init_values=(x, y))`, one name a value");
    return {};
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < init->children.size(); ++i) {
    const Expr &name = *target.children[1]->children[i];
    Val value = expression(*init->children[i]);
    if (name.kind == Expr::Kind::Name) {
      env_[std::string(name.text)] = {std::move(value), name.range, ""};
      names.emplace_back(name.text);
    }
  }
  return names;
}

std::vector<KernelBuilder::Carried> KernelBuilder::carriedNames(const Stmt &stmt, std::string_view variable,
                                                                const std::vector<std::string> &forced) {
  std::vector<std::string> assigned = assignedNames(stmt.body);
  for (const std::string &name : forced) {
    if (std::find(assigned.begin(), assigned.end(), name) == assigned.end()) {
      assigned.push_back(name);
    }
  }
  std::set<std::string, std::less<>> exposed = exposedReads(stmt.body);
  std::vector<Carried> out;
  for (const std::string &name : assigned) {
    auto before = env_.find(name);
    bool readFirst = exposed.contains(name);
    bool needed =
        readFirst || frame_->next.isLive(name) || std::find(forced.begin(), forced.end(), name) != forced.end();
    if (name == variable || before == env_.end() || !needed) {
      continue;
    }
    Val value = before->second.value;
    if (value.isConst() && value.constant.isNumber()) {
      pl::DType dtype = value.constant.isFloat()  ? pl::DType::F32
                        : value.constant.isBool() ? pl::DType::Bool
                                                  : pl::DType::Index;
      value = Val::ofScalar(materialize(value, dtype, before->second.bound), dtype);
    }
    if (value.isRuntime()) {
      out.push_back({name, std::move(value), before->second.bound, readFirst});
    } else if (value.kind == Val::Kind::Tuple) {
      notSupported(before->second.bound, "the tuple `" + name + "`, which a loop rebinds,");
      before->second.value = Val::poison();
    }
  }
  return out;
}

void KernelBuilder::counted(const Stmt &stmt, const Expr &iterator, std::string_view kind) {
  const Expr &target = *stmt.targets[0];
  const Expr &variable = target.kind == Expr::Kind::Tuple && !target.children.empty() ? *target.children[0] : target;
  std::optional<std::vector<Val>> bounds = loopBounds(iterator);
  int64_t stages = 0;
  for (const syntax::Keyword &keyword : iterator.keywords) {
    if (keyword.name == "stage") {
      ConstValue value = staticValue(*keyword.value);
      if (!value.isInt() || value.integer < 1 || kind != "pipeline") {
        reporter_.report(diag::LiteralRequired, keyword.value->range, "`stage`",
                         kind == "pipeline" ? "a constant of at least 1" : "left to pl.pipeline");
      } else {
        stages = value.integer;
      }
    } else if (keyword.name != "init_values" && keyword.name != "attrs") {
      reporter_.report(diag::WrongArguments, keyword.nameRange, syntax::spell(*iterator.children[0]),
                       "has no parameter `" + std::string(keyword.name) + "`");
    }
  }
  bool stageGiven = std::any_of(iterator.keywords.begin(), iterator.keywords.end(),
                                [](const syntax::Keyword &k) { return k.name == "stage"; });
  if (kind == "pipeline" && !stageGiven) {
    reporter_.report(diag::WrongArguments, iterator.range, syntax::spell(*iterator.children[0]),
                     "misses its argument `stage`");
  }
  if (!bounds || variable.kind != Expr::Kind::Name) {
    if (bounds && variable.kind != Expr::Kind::Error) {
      reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target");
    }
    unknownBody(stmt);
    return;
  }
  std::vector<std::string> forced = bindInitValues(stmt, iterator);

  // scf.for counts up; a loop that counts down runs over its iteration number.
  mlir::Location at = loc(iterator.range);
  auto index = [&](const Val &value, const Expr &where) {
    return value.isScalar() ? castScalar(value, pl::DType::Index, where.range).ir
                            : materialize(value, pl::DType::Index, where.range);
  };
  bool down = (*bounds)[2].isInt() && (*bounds)[2].constant.integer < 0;
  if (down && (*bounds)[2].constant.integer == INT64_MIN) {
    notSupported(iterator.range, "this step");
    unknownBody(stmt);
    return;
  }
  mlir::Value lower = index((*bounds)[0], iterator);
  mlir::Value upper = index((*bounds)[1], iterator);
  mlir::Value step = index((*bounds)[2], iterator);
  mlir::Value start = lower;
  if (down) {
    namespace arith = mlir::arith;
    mlir::Value distance = arith::SubIOp::create(builder_, at, lower, upper);
    mlir::Value stride = arith::ConstantIndexOp::create(builder_, at, -(*bounds)[2].constant.integer);
    mlir::Value trips = arith::CeilDivSIOp::create(builder_, at, distance, stride);
    lower = arith::ConstantIndexOp::create(builder_, at, 0);
    upper = trips;
    step = arith::ConstantIndexOp::create(builder_, at, 1);
  }

  std::vector<Carried> carried = carriedNames(stmt, variable.text, forced);
  llvm::SmallVector<mlir::Value> init;
  for (const Carried &entry : carried) {
    init.push_back(entry.before.ir);
  }
  auto loop = mlir::scf::ForOp::create(builder_, at, lower, upper, step, init,
                                       [](mlir::OpBuilder &, mlir::Location, mlir::Value, mlir::ValueRange) {});
  loop->setAttr(pl::kLoopKindAttr, builder_.getStringAttr(kind));
  if (stages > 0) {
    loop->setAttr(pl::kStagesAttr, builder_.getI64IntegerAttr(stages));
  }
  mlir::Location variableLoc = mlir::NameLoc::get(builder_.getStringAttr(variable.text), loc(variable.range));
  loop.getInductionVar().setLoc(variableLoc);

  Env outer = env_;
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToEnd(loop.getBody());
  mlir::Value current = loop.getInductionVar();
  if (down) {
    mlir::Value stride = mlir::arith::ConstantIndexOp::create(builder_, at, (*bounds)[2].constant.integer);
    mlir::Value walked = mlir::arith::MulIOp::create(builder_, at, current, stride);
    current = mlir::arith::AddIOp::create(builder_, variableLoc, start, walked);
  }
  env_[std::string(variable.text)] = {Val::ofScalar(current, pl::DType::Index), variable.range, ""};
  for (auto [i, entry] : llvm::enumerate(carried)) {
    mlir::Value argument = loop.getRegionIterArgs()[i];
    argument.setLoc(mlir::NameLoc::get(builder_.getStringAttr(entry.name), loc(entry.bound)));
    Val inside = entry.before;
    inside.ir = argument;
    env_[entry.name].value = inside;
  }
  block(stmt.body, BlockKind::Loop);

  // `a2, b2 = pl.yield_(x, y)` at the end hands x and y to the next iteration as a and b.
  std::vector<const Expr *> yieldNames;
  const Stmt *final = stmt.body.empty() ? nullptr : stmt.body.back();
  if (!forced.empty() && final && final->kind == Stmt::Kind::Assign && pathOf(final->value) == "pl.yield_") {
    const Expr &names = *final->targets[0];
    yieldNames = names.kind == Expr::Kind::Tuple ? names.children : std::vector<const Expr *>{&names};
    yieldNames.resize(std::min(yieldNames.size(), forced.size()));
    for (auto [i, name] : llvm::enumerate(yieldNames)) {
      env_[forced[i]] = env_[std::string(name->text)];
    }
  }

  llvm::SmallVector<mlir::Value> yielded;
  std::vector<bool> kept;
  for (auto [i, entry] : llvm::enumerate(carried)) {
    mlir::Value argument = loop.getRegionIterArgs()[i];
    const Variable &last = env_[entry.name];
    mlir::Value value;
    if (last.value.isConst() && last.value.constant.isNumber() && entry.before.isScalar()) {
      value = materialize(last.value, entry.before.dtype, last.bound);
    } else if (last.value.isScalar() && entry.before.isScalar()) {
      value = castScalar(last.value, entry.before.dtype, last.bound).ir;
    } else if (last.value.isRuntime()) {
      value = last.value.ir;
    }
    bool fits = value && value.getType() == argument.getType();
    if (value && !fits && entry.readFirst) {
      diag::Diagnostic &d =
          reporter_.report(diag::Reassignment, last.bound, entry.name, describe(entry.before), describe(last.value));
      reporter_.note(d, entry.bound, "the loop begins with this value", diag::Related::Role::Binding);
    }
    kept.push_back(fits);
    yielded.push_back(fits ? value : argument);
  }
  mlir::scf::YieldOp::create(builder_, at, yielded);
  std::vector<std::string> names;
  for (const Carried &entry : carried) {
    names.push_back(entry.name);
  }
  nameResults(loop, names);
  Env inner = std::exchange(env_, std::move(outer));
  for (auto [i, entry] : llvm::enumerate(carried)) {
    Val after = entry.before;
    after.ir = loop.getResult(static_cast<unsigned>(i));
    after.ragged |= inner[entry.name].value.ragged;
    env_[entry.name].value = kept[i] ? after : Val::poison();
  }
  // Python leaves the last value in the loop variable; nothing here carries it.
  env_[std::string(variable.text)] = {Val::poison(), variable.range, "loop"};
  for (const std::string &name : assignedNames(stmt.body)) {
    if (!env_.contains(name)) {
      env_[name] = {Val::poison(), inner[name].bound, inner[name].value.isPoison() ? "" : "loop"};
    }
  }
  for (auto [i, name] : llvm::enumerate(yieldNames)) {
    env_[std::string(name->text)] = {env_[forced[i]].value, name->range, ""};
  }
}

} // namespace placid::frontend
