// SPDX-License-Identifier: Apache-2.0
// Loops. A name that an iteration hands to the next, or that is read after the loop, becomes an iteration argument of
// scf.for; all others stay local to the body, so that an offset computed in the body keeps its own definition.
#include "compiler/frontend/frame.h"
#include "compiler/frontend/loop_parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {
constexpr uint64_t kMaxUnrolledSteps = 4096; ///< Of a kernel, over all its loops.
constexpr uint64_t kMaxRounds = 1024;        ///< Of one loop: what the language allows.
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
    reporter_.report(diag::NotAllowedInKernel, stmt.orelse.front()->range, "`else` of a loop")
        .fixes.push_back({"write its statements after the loop: no loop of a kernel ends early", {}});
  }
  if (path == "pl.range" || path == "pl.parallel" || path == "pl.pipeline") {
    nesting_.loops.push_back(path);
    counted(stmt, iterator, std::string_view(path).substr(3));
    nesting_.loops.pop_back();
  } else if (path == "pl.unroll") {
    nesting_.loops.push_back(path);
    std::optional<std::vector<Val>> bounds = loopBounds(iterator);
    for (const syntax::Keyword &keyword : iterator.keywords) {
      reporter_.report(diag::WrongArguments, keyword.nameRange, path,
                       "has no parameter `" + std::string(keyword.name) + "`");
    }
    if (bounds) {
      unrolled(stmt, *bounds);
    } else {
      unknownBody(stmt);
    }
    nesting_.loops.pop_back();
  } else if (path == "pl.spmd") {
    spmdFor(stmt, iterator);
  } else if (path == "pl.split_aiv") {
    splitAiv(stmt, iterator);
  } else if (path == "pl.while_") {
    whileFor(stmt, iterator);
  } else {
    if (iterator.kind == Expr::Kind::Call) {
      if (path.empty()) {
        expression(iterator); // says what is wrong with the call
      } else {
        reporter_.report(diag::UnknownOp, iterator.children[0]->range, path,
                         ": a loop runs over pl.range, pl.parallel, pl.pipeline, pl.unroll, pl.spmd, pl.split_aiv or "
                         "pl.while_");
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
  auto distance = [](int64_t from, int64_t to) { return static_cast<uint64_t>(to) - static_cast<uint64_t>(from); };
  uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  uint64_t way = step > 0 ? (begin < end ? distance(begin, end) : 0) : (end < begin ? distance(end, begin) : 0);
  uint64_t rounds = way / stride + (way % stride ? 1 : 0);
  if (rounds > kMaxRounds) {
    reporter_.report(diag::UnrollTooLong, stmt.value->range, std::to_string(rounds), std::to_string(kMaxRounds))
        .fixes.push_back({"use `pl.range`, which stays a loop", {}});
    unknownBody(stmt);
    return;
  }
  // Loops within loops multiply. Past the budget the rounds at both ends stand for those between them: whatever grows
  // with the index is least and greatest there. That is enough to check the kernel, and not enough to build it. Far
  // past it (three rounds a loop multiply too) the first round stands for all.
  auto abridge = [&] {
    ++unknowns_;
    if (!abridged_) {
      abridged_ = true;
      reporter_.report(diag::NotLowered, stmt.value->range,
                       "a kernel whose unrolled loops have more than " + std::to_string(kMaxUnrolledSteps) + " rounds");
    }
  };
  bool whole = unrolledSteps_ + rounds <= kMaxUnrolledSteps || rounds <= 3;
  for (uint64_t round = 0; round < rounds; ++round) {
    if (round > 0 && unrolledSteps_ >= 4 * kMaxUnrolledSteps) {
      abridge();
      break;
    }
    if (round >= 2 && round + 1 < rounds && (!whole || unrolledSteps_ >= kMaxUnrolledSteps)) {
      abridge();
      round = rounds - 1;
    }
    ++unrolledSteps_;
    auto index = static_cast<int64_t>(static_cast<uint64_t>(begin) + round * static_cast<uint64_t>(step));
    bindName(target.text, target.range, Val::ofConst(ConstValue::ofInt(index)));
    block(stmt.body, BlockKind::Loop); // what a round reads early may be what the one before it left
  }
}

std::vector<std::string> KernelBuilder::bindInitValues(const Expr &iterator, const Expr &target, const Expr *names) {
  const Expr *init = nullptr;
  for (const syntax::Keyword &keyword : iterator.keywords) {
    init = keyword.name == "init_values" ? keyword.value : init;
  }
  if (!init && !names) {
    return {};
  }
  std::string loop = syntax::spell(*iterator.children[0]);
  bool list = init && (init->kind == Expr::Kind::Tuple || init->kind == Expr::Kind::List);
  if (!init) {
    reporter_.report(diag::YieldMismatch, names->range,
                     "the loop binds `" + syntax::spell(*names) + "` but `" + loop + "` has no `init_values`");
    return {};
  }
  if (!names) {
    reporter_
        .report(diag::YieldMismatch, target.range,
                "the loop starts `init_values` but its target `" + syntax::spell(target) + "` does not bind them")
        .fixes.push_back({"write `for i, (a, b) in " + loop + "(…, init_values=(x, y))`, one name a value", {}});
    return {};
  }
  if (!list || init->children.size() != names->children.size()) {
    diag::Diagnostic &d =
        reporter_.report(diag::YieldMismatch, init->range,
                         list ? "`init_values` has " + std::to_string(init->children.size()) +
                                    " values, the loop binds " + std::to_string(names->children.size()) + " names"
                              : "`init_values` must be a tuple or list, one value for each name of the loop");
    reporter_.note(d, names->range, "the names");
    return {};
  }
  std::vector<Val> values;
  for (const Expr *item : init->children) {
    values.push_back(expression(*item));
  }
  std::vector<std::string> out;
  for (size_t i = 0; i < values.size(); ++i) {
    const Expr &name = *names->children[i];
    if (name.kind != Expr::Kind::Name) {
      reporter_.report(diag::NotAllowedInKernel, name.range, "this loop target");
      continue;
    }
    env_.set(name.text, {std::move(values[i]), name.range, ""});
    out.emplace_back(name.text);
  }
  return out;
}

KernelBuilder::LoopYield KernelBuilder::loopYield(const std::vector<const Stmt *> &body,
                                                  const std::vector<std::string> &forced) {
  LoopYield out;
  for (const Stmt *stmt : body) {
    if (stmt->kind != Stmt::Kind::Assign || stmt->targets.size() != 1 || pathOf(stmt->value) != "pl.yield_") {
      continue;
    }
    const Expr &target = *stmt->targets[0];
    if (forced.empty()) {
      reporter_.report(diag::YieldMismatch, stmt->value->range, "a `pl.yield_` in a loop without `init_values`")
          .fixes.push_back({"start what the loop carries with `init_values=(…)`, or assign the names plainly", {}});
      continue;
    }
    if (stmt != body.back()) {
      reporter_.report(diag::YieldMismatch, stmt->value->range,
                       "a `pl.yield_` that is not the last statement of its loop");
      continue;
    }
    bool several = target.kind == Expr::Kind::Tuple || target.kind == Expr::Kind::List;
    std::vector<const Expr *> names = several ? target.children : std::vector<const Expr *>{&target};
    size_t values = stmt->value->children.size() - 1;
    if (values != forced.size() || names.size() != forced.size()) {
      reporter_.report(diag::YieldMismatch, values != forced.size() ? stmt->value->range : target.range,
                       "the loop carries " + std::to_string(forced.size()) + " values, this yields " +
                           std::to_string(values) + " to " + std::to_string(names.size()) + " names");
      continue;
    }
    out.stmt = stmt;
    out.names = std::move(names);
  }
  return out;
}

std::vector<KernelBuilder::Carried> KernelBuilder::carriedNames(const std::vector<const Stmt *> &body,
                                                                std::string_view variable,
                                                                const std::vector<std::string> &forced,
                                                                const Expr *condition) {
  std::vector<std::string> assigned = cache_->assignedNames(body);
  for (const std::string &name : forced) {
    if (std::find(assigned.begin(), assigned.end(), name) == assigned.end()) {
      assigned.push_back(name);
    }
  }
  const std::set<std::string, std::less<>> &exposed = cache_->exposedReads(body);
  std::set<std::string_view> conditions;
  if (condition) {
    visitNames(*condition, [&](const Expr &name) { conditions.insert(name.text); });
  }
  std::vector<Carried> out;
  for (const std::string &name : assigned) {
    const Variable *before = env_.find(name);
    bool isForced = std::find(forced.begin(), forced.end(), name) != forced.end();
    bool readFirst = isForced || exposed.contains(name) || conditions.contains(name);
    if (name == variable || !before || !(readFirst || frame_->next.isLive(name))) {
      continue;
    }
    Val value = before->value;
    if (value.isConst() && value.constant.isNumber()) {
      pl::DType dtype = value.constant.isFloat()  ? pl::DType::F32
                        : value.constant.isBool() ? pl::DType::Bool
                                                  : pl::DType::Index;
      mlir::Value made = materialize(value, dtype, before->bound);
      value = made ? Val::ofScalar(made, dtype) : Val::poison();
    }
    if (value.isRuntime()) {
      out.push_back({name, std::move(value), before->bound, readFirst});
    } else if (value.kind == Val::Kind::Tuple && readFirst) {
      gap(before->bound, "the tuple `" + name + "`, which a loop rebinds,");
      env_[name].value = Val::poison();
    }
  }
  return out;
}

std::vector<bool> KernelBuilder::yieldCarried(const std::vector<Carried> &carried, mlir::ValueRange arguments,
                                              const std::vector<std::string> &forced,
                                              llvm::SmallVectorImpl<mlir::Value> &out) {
  std::vector<bool> kept;
  for (auto [i, entry] : llvm::enumerate(carried)) {
    mlir::Value argument = arguments[i];
    const Variable &last = env_[entry.name];
    mlir::Value value;
    bool category = true;
    if (last.value.isConst() && last.value.constant.isNumber() && entry.before.isScalar()) {
      category = !last.value.constant.isFloat() || pl::isFloat(entry.before.dtype);
      value = category ? materialize(last.value, entry.before.dtype, last.bound) : mlir::Value();
    } else if (last.value.isScalar() && entry.before.isScalar()) {
      category = pl::isFloat(last.value.dtype) == pl::isFloat(entry.before.dtype);
      value = category ? castScalar(last.value, entry.before.dtype, last.bound).ir : mlir::Value();
    } else if (last.value.isRuntime()) {
      value = last.value.ir;
    }
    bool fits = value && value.getType() == argument.getType();
    bool differs = !category || (value && !fits && surelyDiffer(value.getType(), argument.getType())) ||
                   (last.value.isTask() && entry.before.isRuntime());
    if (differs && entry.readFirst) {
      diag::Diagnostic &d =
          reporter_.report(diag::Reassignment, last.bound, entry.name, describe(entry.before), describe(last.value));
      reporter_.note(d, entry.bound, "the loop begins with this value", diag::Related::Role::Binding);
    } else if (!fits && !differs && !last.value.isPoison()) {
      gap(last.bound, "`" + entry.name + "`, whose extents differ in form from round to round,");
    }
    kept.push_back(fits);
    out.push_back(fits ? value : argument);
  }
  return kept;
}

void KernelBuilder::afterLoop(const std::vector<Carried> &carried, const std::vector<bool> &kept,
                              mlir::ValueRange results, const std::vector<std::string> &forced, const LoopYield &yield,
                              const std::vector<std::string> &assigned, std::string_view variable, Env inner,
                              Env outer) {
  env_ = std::move(outer);
  for (auto [i, entry] : llvm::enumerate(carried)) {
    Val after = entry.before;
    after.ir = results[i];
    after.ragged |= inner[entry.name].value.ragged;
    after.open |= inner[entry.name].value.open;
    env_[entry.name].value = kept[i] ? after : Val::poison();
  }
  for (const std::string &name : assigned) {
    const Variable *known = env_.find(name);
    Variable &last = inner[name];
    forgetInside(last.value);
    if (!known) {
      bool still = last.value.isPoison() || last.value.isTask() || last.value.kind == Val::Kind::Array;
      env_.set(name, {still ? last.value : Val::poison(), last.bound, still ? "" : "loop"});
    } else if (known->value.isTask() && last.value.isTask()) {
      env_[name].value = Val::ofTask(); // None before, the id of a task afterwards
    }
  }
  if (!variable.empty()) {
    // Python leaves the last value in the loop variable; nothing here carries it.
    env_.set(variable, {Val::poison(), inner[variable].bound, "loop"});
  }
  if (yield.names.empty()) {
    for (const std::string &name : forced) {
      env_.set(name + "_out",
               {env_[name].value, env_[name].bound, ""}); // what a loop without a yield calls its results
    }
  }
  for (auto [i, name] : llvm::enumerate(yield.names)) {
    if (name->kind == Expr::Kind::Name) {
      env_.set(name->text, {env_[forced[i]].value, name->range, ""});
    }
  }
}

int64_t KernelBuilder::loopOptions(const Expr &iterator, std::string_view kind) {
  int64_t stages = 0;
  bool stageGiven = false;
  for (const syntax::Keyword &keyword : iterator.keywords) {
    if (keyword.name == "stage") {
      stageGiven = true;
      ConstValue value = staticValue(*keyword.value);
      if (!value.isInt() || value.integer < 1 || kind != "pipeline") {
        reporter_.report(diag::LiteralRequired, keyword.value->range, "`stage`",
                         kind == "pipeline" ? "a constant of at least 1" : "left to pl.pipeline");
      } else {
        stages = value.integer;
      }
    } else if (keyword.name == "attrs") {
      continue;
    } else if (keyword.name == "chunk") {
      reporter_.report(diag::RemovedForm, keyword.nameRange, "`chunk=`", "a loop is not cut by the compiler")
          .fixes.push_back({"drop it, or write the chunks as a loop of their own around this one", {}});
    } else if (keyword.name != "init_values") {
      reporter_.report(diag::WrongArguments, keyword.nameRange, syntax::spell(*iterator.children[0]),
                       "has no parameter `" + std::string(keyword.name) + "`");
    }
  }
  if (kind == "pipeline" && !stageGiven) {
    reporter_.report(diag::WrongArguments, iterator.range, syntax::spell(*iterator.children[0]),
                     "misses its argument `stage`");
  }
  return stages;
}

KernelBuilder::Counting KernelBuilder::countingOf(const std::vector<Val> &bounds, const Expr &iterator) {
  mlir::Location at = loc(iterator.range);
  auto index = [&](const Val &value) {
    return value.isScalar() ? castScalar(value, pl::DType::Index, iterator.range).ir
                            : materialize(value, pl::DType::Index, iterator.range);
  };
  Counting out;
  out.lower = index(bounds[0]);
  out.upper = index(bounds[1]);
  out.step = index(bounds[2]);
  out.start = out.lower;
  if (bounds[2].isInt() && bounds[2].constant.integer < 0) {
    namespace arith = mlir::arith;
    out.down = bounds[2].constant.integer;
    mlir::Value distance = arith::SubIOp::create(builder_, at, out.lower, out.upper);
    mlir::Value stride = arith::ConstantIndexOp::create(builder_, at, -out.down);
    mlir::Value trips = arith::CeilDivSIOp::create(builder_, at, distance, stride);
    out.lower = arith::ConstantIndexOp::create(builder_, at, 0);
    out.upper = trips;
    out.step = arith::ConstantIndexOp::create(builder_, at, 1);
  }
  return out;
}

void KernelBuilder::counted(const Stmt &stmt, const Expr &iterator, std::string_view kind) {
  const Expr &target = *stmt.targets[0];
  const Expr &variable = target.kind == Expr::Kind::Tuple && !target.children.empty() ? *target.children[0] : target;
  std::optional<std::vector<Val>> bounds = loopBounds(iterator);
  const int64_t stages = loopOptions(iterator, kind);
  bool pair = target.kind == Expr::Kind::Tuple && target.children.size() == 2 &&
              (target.children[1]->kind == Expr::Kind::Tuple || target.children[1]->kind == Expr::Kind::List);
  if (!bounds || variable.kind != Expr::Kind::Name || (target.kind != Expr::Kind::Name && !pair)) {
    if (bounds && variable.kind != Expr::Kind::Error) {
      reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target");
    }
    unknownBody(stmt);
    return;
  }
  std::vector<std::string> forced = bindInitValues(iterator, target, pair ? target.children[1] : nullptr);
  if ((*bounds)[2].isInt() && (*bounds)[2].constant.integer == INT64_MIN) {
    notSupported(iterator.range, "this step");
    unknownBody(stmt);
    return;
  }
  const Counting counting = countingOf(*bounds, iterator);

  mlir::Location at = loc(iterator.range);
  std::vector<Carried> carried = carriedNames(stmt.body, variable.text, forced);
  llvm::SmallVector<mlir::Value> init;
  std::vector<std::string> names;
  for (const Carried &entry : carried) {
    init.push_back(entry.before.ir);
    names.push_back(entry.name);
  }
  auto loop = mlir::scf::ForOp::create(builder_, at, counting.lower, counting.upper, counting.step, init,
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
  if (counting.down != 0) {
    mlir::Value stride = mlir::arith::ConstantIndexOp::create(builder_, at, counting.down);
    mlir::Value walked = mlir::arith::MulIOp::create(builder_, at, current, stride);
    current = mlir::arith::AddIOp::create(builder_, variableLoc, counting.start, walked);
  }
  env_.set(variable.text, {Val::ofScalar(current, pl::DType::Index), variable.range, ""});
  for (auto [i, entry] : llvm::enumerate(carried)) {
    mlir::Value argument = loop.getRegionIterArgs()[i];
    argument.setLoc(mlir::NameLoc::get(builder_.getStringAttr(entry.name), loc(entry.bound)));
    Val inside = entry.before;
    inside.ir = argument;
    env_[entry.name].value = inside;
  }
  block(stmt.body, BlockKind::Loop);

  // `a2, b2 = pl.yield_(x, y)` at the end hands x and y to the next iteration as a and b.
  LoopYield yield = loopYield(stmt.body, forced);
  for (auto [i, name] : llvm::enumerate(yield.names)) {
    env_[forced[i]] = env_[name->text];
  }
  llvm::SmallVector<mlir::Value> yielded;
  std::vector<bool> kept = yieldCarried(carried, loop.getRegionIterArgs(), forced, yielded);
  mlir::scf::YieldOp::create(builder_, at, yielded);
  nameResults(loop, names);
  Env inner = std::move(env_);
  afterLoop(carried, kept, loop.getResults(), forced, yield, cache_->assignedNames(stmt.body), variable.text,
            std::move(inner), std::move(outer));
}

} // namespace placid::frontend
