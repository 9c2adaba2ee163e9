// SPDX-License-Identifier: Apache-2.0
// `with` scopes and `for … in pl.spmd`: what runs on a core becomes a pl.incore region; scheduling scopes are
// transparent, because they change no value.
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/frontend/dialect_names.h"
#include "compiler/frontend/frame.h"
#include "compiler/frontend/scope_options.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

mlir::Value KernelBuilder::blockCount(const Expr &call) {
  const Expr *count = call.children.size() > 1 ? call.children[1] : nullptr;
  for (const syntax::Keyword &keyword : call.keywords) {
    count = keyword.name == "core_num" && !count ? keyword.value : count;
  }
  if (!count) {
    reporter_.report(diag::WrongArguments, call.range, "pl.spmd", "misses the number of blocks");
    return {};
  }
  Val value = expression(*count);
  if (value.isScalar() && !pl::isFloat(value.dtype)) {
    return castScalar(value, pl::DType::Index, count->range).ir;
  }
  if (value.isInt()) {
    return materialize(value, pl::DType::Index, count->range);
  }
  if (!value.isPoison()) {
    typeMismatch(count->range, "the number of blocks", "must be an integer scalar, got " + describe(value));
  }
  return {};
}

namespace {

/// Every value in the IR that `value` is made of.
void visitRuntime(Val &value, llvm::function_ref<void(Val &)> visit) {
  if (value.isRuntime()) {
    visit(value);
  }
  for (Val &item : value.items) {
    visitRuntime(item, visit);
  }
}

bool holdsTile(const Val &value) {
  return value.isTile() || std::any_of(value.items.begin(), value.items.end(), holdsTile);
}

} // namespace

void KernelBuilder::coreScope(const std::vector<const Stmt *> &body, source::ByteRange shown, mlir::Value blocks,
                              const ScopeOptions &options, BindBlock bindBlock, std::vector<std::string> blockNames) {
  if (inCore_) {
    // Directly in a core function a `pl.at` says what holds anyway; blocks inside a core's program are none.
    bool harmless = !blocks && !builder_.getInsertionBlock()->getParentOp()->getParentOfType<pl::IncoreOp>() &&
                    !mlir::isa<pl::IncoreOp>(builder_.getInsertionBlock()->getParentOp());
    diag::Diagnostic &d = reporter_.report(
        diag::ScopeRule, shown, harmless ? "a core scope inside a core kernel" : "a core scope inside a core scope");
    d.severity = harmless ? diag::Severity::Warning : diag::Severity::Error;
    d.fixes.push_back({"drop the inner scope: its statements already run on the core", {}});
    if (harmless) {
      reporter_.stillBuilt();
    }
    bindBlock();
    block(body);
    return;
  }
  mlir::Location at = loc(shown);
  mlir::StringAttr hintAttr = options.nameHint.empty() ? mlir::StringAttr() : builder_.getStringAttr(options.nameHint);
  auto draft = pl::IncoreOp::create(builder_, at, mlir::TypeRange{}, blocks, hintAttr);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.createBlock(&draft.getBody());
  Env outer = env_;
  inCore_ = true;
  const unsigned holesBefore = holes();
  bindBlock();
  block(body);
  const bool incomplete = holes() != holesBefore;
  inCore_ = false;
  Env inner = std::exchange(env_, std::move(outer));

  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Type> types;
  std::vector<std::string> names;    // of the scope's results
  std::vector<std::string> escaping; // names whose value is made of them
  for (const std::string &name : liveAfter(cache_->assignedNames(body))) {
    Variable &last = inner[name];
    if (holdsTile(last.value)) {
      env_.set(name, {Val::poison(), last.bound, "core scope"}); // on-chip memory ends with the scope
      continue;
    }
    size_t before = values.size();
    visitRuntime(last.value, [&](Val &leaf) {
      values.push_back(leaf.ir);
      types.push_back(leaf.ir.getType());
      names.push_back(name);
    });
    forgetInside(last.value);
    if (values.size() == before) {
      env_.set(name, last);
    } else {
      escaping.push_back(name);
    }
  }
  for (const std::string &name : blockNames) {
    env_.set(name, {Val::poison(), inner[name].bound, "core scope"});
  }
  pl::YieldOp::create(builder_, at, values);
  auto annotate = [&](pl::IncoreOp scope) {
    if (options.halved) {
      scope->setAttr(pl::kSplitAttr, options.halvedAxis
                                         ? mlir::Attribute(builder_.getI64IntegerAttr(*options.halvedAxis))
                                         : mlir::Attribute(builder_.getUnitAttr()));
    }
    if (options.slots > 0) {
      scope->setAttr(pl::kSlotsAttr, builder_.getI64IntegerAttr(options.slots));
    }
    if (incomplete) {
      scope->setAttr(pl::kIncompleteAttr, builder_.getUnitAttr());
    }
  };
  if (names.empty()) {
    annotate(draft);
    return;
  }
  builder_.setInsertionPoint(draft);
  auto made = pl::IncoreOp::create(builder_, at, types, blocks, hintAttr);
  made.getBody().takeBody(draft.getBody());
  draft.erase();
  annotate(made);
  nameResults(made, names);
  unsigned result = 0;
  for (const std::string &name : escaping) {
    Variable after = inner[name];
    visitRuntime(after.value, [&](Val &leaf) { leaf.ir = made.getResult(result++); });
    env_.set(name, std::move(after));
  }
}

void KernelBuilder::spmdFor(const Stmt &stmt, const Expr &iterator) {
  const Expr &target = *stmt.targets[0];
  mlir::Value blocks = blockCount(iterator);
  ScopeOptions options = scopeOptions(iterator, kSpmdFor);
  if (target.kind != Expr::Kind::Name) {
    reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target");
    unknownBody(stmt);
    return;
  }
  bool outerSplit = std::exchange(nesting_.split, options.split);
  std::vector<std::string_view> outerLoops = std::exchange(nesting_.loops, {"pl.spmd"});
  coreScope(stmt.body, iterator.range, blocks, options,
            [&] {
              mlir::Location name = mlir::NameLoc::get(builder_.getStringAttr(target.text), loc(target.range));
              env_.set(target.text,
                       {Val::ofScalar(pl::BlockIdxOp::create(builder_, name), pl::DType::Index), target.range, ""});
            },
            {std::string(target.text)});
  nesting_.loops = std::move(outerLoops);
  nesting_.split = outerSplit;
}

/// `for lane in pl.split_aiv(2, mode=…)`: the body runs on both vector lanes of a core group.
void KernelBuilder::splitAiv(const Stmt &stmt, const Expr &iterator) {
  const Expr &target = *stmt.targets[0];
  ScopeOptions options = scopeOptions(iterator, kSplitAiv);
  bool good = target.kind == Expr::Kind::Name;
  if (!good) {
    reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target");
  }
  if (iterator.children.size() != 2) {
    reporter_.report(diag::WrongArguments, iterator.range, "pl.split_aiv",
                     "takes the number of lanes, 2, and `mode=pl.SplitMode.…`");
    good = false;
  } else {
    Val lanes = expression(*iterator.children[1]);
    if (!lanes.isPoison() && !(lanes.isInt() && lanes.constant.integer == 2)) {
      reporter_.report(diag::LiteralRequired, iterator.children[1]->range, "the number of lanes of `pl.split_aiv`",
                       "2, which the hardware has, got " + describe(lanes));
    }
  }
  std::string mode;
  if (options.mode) {
    ConstValue value = staticValue(*options.mode);
    constexpr std::string_view kPrefix = "pl.SplitMode.";
    if (value.kind == ConstValue::Kind::PlPath && std::string_view(value.text).starts_with(kPrefix)) {
      mode = value.text.substr(kPrefix.size());
    } else if (!value.isUnknown()) {
      reporter_.report(diag::LiteralRequired, options.mode->range, "`mode`", "a member of `pl.SplitMode`");
    }
  } else {
    reporter_.report(diag::WrongArguments, iterator.range, "pl.split_aiv", "misses its argument `mode`");
  }
  if (!splitMode_.empty()) {
    reporter_.report(diag::ScopeRule, iterator.range,
                     "`pl.split_aiv` inside `pl.split_aiv`: the body already runs on both lanes");
    good = false;
  } else if (nesting_.split) {
    reporter_
        .report(diag::ScopeRule, iterator.range,
                "`pl.split_aiv` inside a scope with `optimizations=[pl.split(…)]`: two splits of one kernel")
        .fixes.push_back({"keep one of the two", {}});
  }
  if (!good) {
    unknownBody(stmt);
    return;
  }
  std::string outerMode = std::exchange(splitMode_, mode.empty() ? "NONE" : mode);
  auto bindLane = [&] {
    mlir::Location name = mlir::NameLoc::get(builder_.getStringAttr(target.text), loc(target.range));
    auto lane = pl::SubblockIdxOp::create(builder_, name);
    lane->setAttr(pl::kLaneModeAttr, builder_.getStringAttr(splitMode_));
    env_.set(target.text, {Val::ofScalar(lane, pl::DType::Index), target.range, ""});
  };
  nesting_.loops.push_back("pl.split_aiv");
  if (inCore_) {
    bindLane();
    block(stmt.body);
    auto end = pl::SubblockIdxOp::create(builder_, loc(iterator.range));
    end->setAttr(pl::kLaneModeAttr, builder_.getStringAttr(pl::kLaneModeEnd));
  } else {
    coreScope(stmt.body, iterator.range, {}, ScopeOptions{.halved = true}, bindLane, {std::string(target.text)});
  }
  nesting_.loops.pop_back();
  splitMode_ = std::move(outerMode);
}

bool KernelBuilder::isCoreLevel(const Expr &atCall) {
  const Expr *level = atCall.children.size() > 1 ? atCall.children[1] : nullptr;
  for (const syntax::Keyword &keyword : atCall.keywords) {
    level = keyword.name == "level" ? keyword.value : level;
  }
  ConstValue value = level ? staticValue(*level) : ConstValue();
  if (level && value.isUnknown()) {
    return false; // its names were checked
  }
  if (!level || value.kind != ConstValue::Kind::PlPath || !value.text.starts_with("pl.Level.")) {
    reporter_.report(diag::LiteralRequired, level ? level->range : atCall.range, "the level of `pl.at`",
                     "a member of `pl.Level`");
    return true; // most likely meant
  }
  // A level that PL does not have is told elsewhere, and most likely was to be this one. Any other is a region of the
  // hierarchy: what runs there is unchanged.
  return value.text == "pl.Level.CORE_GROUP" || !isDialectName(value.text);
}

void KernelBuilder::bindTask(const syntax::WithItem &item) {
  if (!item.target) {
    return;
  }
  if (item.target->kind == Expr::Kind::Name) {
    bindName(item.target->text, item.target->range, Val::ofTask());
  } else {
    reporter_.report(diag::NotAllowedInKernel, item.target->range, "`as` with more than a name");
  }
}

namespace {

/// The statement of a body that has no other, comments aside.
const Stmt *onlyStatement(const std::vector<const Stmt *> &body) {
  const Stmt *found = nullptr;
  for (const Stmt *inner : body) {
    bool comment = inner->kind == Stmt::Kind::Expr && inner->value->kind == Expr::Kind::String;
    if (!comment && inner->kind != Stmt::Kind::Pass) {
      if (found) {
        return nullptr;
      }
      found = inner;
    }
  }
  return found;
}

} // namespace

void KernelBuilder::spmdWith(const Stmt &stmt, const Expr &call) {
  mlir::Value blocks = blockCount(call);
  ScopeOptions options = scopeOptions(call, kSpmdWith);
  if (nesting_.cluster && options.dispatch) {
    reporter_.report(diag::ScopeRule, options.dispatch->nameRange,
                     "`" + std::string(options.dispatch->name) +
                         "` on a `pl.spmd` inside `pl.cluster`: the cluster is the task, its parts have none");
  }
  const Stmt *single = onlyStatement(stmt.body);
  bool innerAt = single && single->kind == Stmt::Kind::With && single->items.size() == 1 &&
                 pathOf(single->items[0].value) == "pl.at";
  const Expr *called = single && (single->kind == Stmt::Kind::Expr || single->kind == Stmt::Kind::Assign ||
                                  single->kind == Stmt::Kind::Return)
                           ? single->value
                           : nullptr;
  bool kernelCall = false;
  if (called && called->kind == Expr::Kind::Call) {
    const Expr &callee = *called->children[0];
    bool self = callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
                callee.children[0]->text == "self";
    ConstValue target = staticValue(callee);
    kernelCall = self || (target.kind == ConstValue::Kind::Kernel && target.kernel->kind != KernelKind::Inline);
  }
  if (kernelCall) {
    block(stmt.body);
    return;
  }
  if (innerAt) {
    const Expr &at = *single->items[0].value;
    checkNames(&at);
    bindTask(single->items[0]);
    ScopeOptions inner = scopeOptions(at, kAt);
    innerAt = isCoreLevel(at);
    options.split |= inner.split;
    options.halved |= inner.halved;
    options.halvedAxis = inner.halvedAxis ? inner.halvedAxis : options.halvedAxis;
    options.slots = std::max(options.slots, inner.slots);
    options.nameHint = innerAt && !inner.nameHint.empty() ? inner.nameHint : options.nameHint;
  }
  bool outerSplit = std::exchange(nesting_.split, options.split);
  std::vector<std::string_view> outerLoops = std::exchange(nesting_.loops, {});
  coreScope(innerAt ? single->body : stmt.body, call.range, blocks, options, [] {});
  nesting_.loops = std::move(outerLoops);
  nesting_.split = outerSplit;
}

void KernelBuilder::withStatement(const Stmt &stmt) {
  if (stmt.items.size() != 1) {
    reporter_.report(diag::NotAllowedInKernel, stmt.range, "a `with` of several items")
        .fixes.push_back({"nest one `with` in the other", {}});
    unknownBody(stmt);
    return;
  }
  const syntax::WithItem &item = stmt.items[0];
  std::string path = pathOf(item.value);
  bool task = path == "pl.at" || path == "pl.spmd";
  if (task) {
    bindTask(item);
  } else if (item.target && !path.empty()) {
    reporter_.report(diag::NotAllowedInKernel, item.target->range, "`as` of `" + path + "`, which is no task,");
  }
  if (path == "pl.at") {
    ScopeOptions options = scopeOptions(*item.value, kAt);
    if (!isCoreLevel(*item.value)) {
      block(stmt.body);
      return;
    }
    bool outerSplit = std::exchange(nesting_.split, options.split);
    std::vector<std::string_view> outerLoops = std::exchange(nesting_.loops, {});
    coreScope(stmt.body, item.value->range, {}, options, [] {});
    nesting_.loops = std::move(outerLoops);
    nesting_.split = outerSplit;
  } else if (path == "pl.spmd") {
    spmdWith(stmt, *item.value);
  } else if (path == "pl.scope" || path == "pl.manual_scope") {
    ScopeOptions options = scopeOptions(*item.value, path == "pl.scope" ? kScope : kManualScope);
    const Expr *mode = options.mode;
    mode = item.value->children.size() > 1 ? item.value->children[1] : mode;
    ConstValue value = mode ? staticValue(*mode) : ConstValue();
    bool manual = path == "pl.manual_scope" || value.isPath("pl.ScopeMode.MANUAL");
    if (mode && !manual && !value.isPath("pl.ScopeMode.AUTO") && !value.isUnknown()) {
      reporter_.report(diag::LiteralRequired, mode->range, "`mode`", "pl.ScopeMode.AUTO or pl.ScopeMode.MANUAL");
    }
    if (manual && nesting_.manual) {
      reporter_.report(diag::ScopeRule, item.value->range, "a manual scope inside a manual scope");
    } else if (!manual && nesting_.manual) {
      reporter_.report(diag::ScopeRule, item.value->range,
                       "an automatic scope inside a manual scope, which leaves no dependency to find");
    } else if (ConstValue own = decoratorOption(kernel_, "auto_scope");
               !manual && inlining_.empty() && !own.isUnknown() && (!own.isBool() || own.truthy())) {
      reporter_
          .report(diag::ScopeRule, item.value->range,
                  "an automatic scope in `" + kernel_.name + "`, which already is one as a whole")
          .fixes.push_back({"say `auto_scope=False` in the decorator", {}});
    }
    bool outer = std::exchange(nesting_.manual, nesting_.manual || manual);
    block(stmt.body);
    nesting_.manual = outer;
  } else if (path == "pl.cluster") {
    scopeOptions(*item.value, kCluster);
    bool outer = std::exchange(nesting_.cluster, true);
    block(stmt.body);
    nesting_.cluster = outer;
  } else {
    if (path.empty() && item.value && item.value->kind == Expr::Kind::Call) {
      expression(*item.value);
    } else if (item.value && item.value->kind != Expr::Kind::Error) {
      reporter_.report(diag::NotAllowedInKernel, item.value->range, "`with " + syntax::spell(*item.value) + "`");
    }
    block(stmt.body);
  }
}

} // namespace placid::frontend
