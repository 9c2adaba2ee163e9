// SPDX-License-Identifier: Apache-2.0
// `with` scopes and `for … in pl.spmd`: what runs on a core becomes a pl.incore region; scheduling scopes are
// transparent, because they change no value.
#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

std::string KernelBuilder::nameHint(const Expr &call) {
  for (const syntax::Keyword &keyword : call.keywords) {
    if (keyword.name != "name_hint") {
      continue;
    }
    if (keyword.value->kind == Expr::Kind::String && !keyword.value->text.empty()) {
      return std::string(keyword.value->text);
    }
    if (keyword.value->kind != Expr::Kind::Error) {
      reporter_.report(diag::LiteralRequired, keyword.value->range, "`name_hint`", "a string literal");
    }
  }
  return "";
}

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

void KernelBuilder::coreScope(const std::vector<const Stmt *> &body, source::ByteRange shown, mlir::Value blocks,
                              std::string hint, const Expr *blockVariable) {
  if (inCore_) {
    reporter_.report(diag::NotAllowedInKernel, shown, "a core scope inside a core scope");
    block(body);
    return;
  }
  mlir::Location at = loc(shown);
  mlir::StringAttr hintAttr = hint.empty() ? mlir::StringAttr() : builder_.getStringAttr(hint);
  auto draft = pl::IncoreOp::create(builder_, at, mlir::TypeRange{}, blocks, hintAttr);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.createBlock(&draft.getBody());
  Env outer = env_;
  inCore_ = true;
  if (blockVariable) {
    mlir::Location name = mlir::NameLoc::get(builder_.getStringAttr(blockVariable->text), loc(blockVariable->range));
    env_[std::string(blockVariable->text)] = {Val::ofScalar(pl::BlockIdxOp::create(builder_, name), pl::DType::Index),
                                              blockVariable->range, ""};
  }
  block(body);
  inCore_ = false;
  Env inner = std::exchange(env_, std::move(outer));

  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Type> types;
  std::vector<std::string> names;
  for (const std::string &name : liveAfter(assignedNames(body))) {
    Variable &last = inner[name];
    if (last.value.isTensor() || last.value.isScalar()) {
      values.push_back(last.value.ir);
      types.push_back(last.value.ir.getType());
      names.push_back(name);
    } else if (last.value.isTile() || last.value.kind == Val::Kind::Tuple) {
      env_[name] = {Val::poison(), last.bound, "core scope"};
    } else {
      env_[name] = last;
    }
  }
  if (blockVariable) {
    env_[std::string(blockVariable->text)] = {Val::poison(), blockVariable->range, "core scope"};
  }
  pl::YieldOp::create(builder_, at, values);
  if (names.empty()) {
    return;
  }
  builder_.setInsertionPoint(draft);
  auto made = pl::IncoreOp::create(builder_, at, types, blocks, hintAttr);
  made.getBody().takeBody(draft.getBody());
  draft.erase();
  nameResults(made, names);
  for (auto [i, name] : llvm::enumerate(names)) {
    Variable after = inner[name];
    after.value.ir = made.getResult(static_cast<unsigned>(i));
    env_[name] = std::move(after);
  }
}

void KernelBuilder::spmdFor(const Stmt &stmt, const Expr &iterator) {
  const Expr &target = *stmt.targets[0];
  mlir::Value blocks = blockCount(iterator);
  std::string hint = nameHint(iterator);
  if (target.kind != Expr::Kind::Name) {
    reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target");
    unknownBody(stmt);
    return;
  }
  coreScope(stmt.body, iterator.range, blocks, hint, &target);
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
    return false;
  }
  if (value.text != "pl.Level.CORE_GROUP") {
    notSupported(level->range, "`pl.at` at level `" + value.text + "`");
    return false;
  }
  return true;
}

void KernelBuilder::bindTask(const syntax::WithItem &item) {
  if (item.target && item.target->kind == Expr::Kind::Name) {
    Val task;
    task.kind = Val::Kind::Task;
    bindName(item.target->text, item.target->range, task);
  }
}

void KernelBuilder::withStatement(const Stmt &stmt) {
  if (stmt.items.size() != 1) {
    reporter_.report(diag::NotAllowedInKernel, stmt.range, "a `with` of several items");
    unknownBody(stmt);
    return;
  }
  const syntax::WithItem &item = stmt.items[0];
  std::string path = pathOf(item.value);
  bindTask(item);
  auto only = [](const std::vector<const Stmt *> &body) -> const Stmt * {
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
  };
  if (path == "pl.at") {
    bool core = isCoreLevel(*item.value);
    std::string hint = nameHint(*item.value);
    if (!core) {
      block(stmt.body);
      return;
    }
    coreScope(stmt.body, item.value->range, {}, hint, nullptr);
  } else if (path == "pl.spmd") {
    mlir::Value blocks = blockCount(*item.value);
    std::string hint = nameHint(*item.value);
    const Stmt *single = only(stmt.body);
    bool innerAt = single && single->kind == Stmt::Kind::With && single->items.size() == 1 &&
                   pathOf(single->items[0].value) == "pl.at";
    const Expr *called = single && single->kind == Stmt::Kind::Expr     ? single->value
                         : single && single->kind == Stmt::Kind::Assign ? single->value
                                                                        : nullptr;
    bool kernelCall = false;
    if (called && called->kind == Expr::Kind::Call) {
      const Expr &callee = *called->children[0];
      bool self = callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
                  callee.children[0]->text == "self";
      ConstValue target = staticValue(callee);
      kernelCall = self || (target.kind == ConstValue::Kind::Kernel && target.kernel->kind != KernelKind::Inline);
    }
    if (innerAt) {
      checkNames(single->items[0].value);
      bindTask(single->items[0]);
      innerAt = isCoreLevel(*single->items[0].value);
    }
    if (kernelCall) {
      block(stmt.body);
    } else {
      std::string inner = innerAt ? nameHint(*single->items[0].value) : "";
      coreScope(innerAt ? single->body : stmt.body, item.value->range, blocks, inner.empty() ? hint : inner, nullptr);
    }
  } else if (path == "pl.scope" || path == "pl.manual_scope" || path == "pl.cluster") {
    block(stmt.body);
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
