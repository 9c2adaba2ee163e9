// SPDX-License-Identifier: Apache-2.0
// Statements: recovery is per statement, so each one is built whatever the one before it did.
#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

void KernelBuilder::block(const std::vector<const Stmt *> &statements, BlockKind kind, size_t skip) {
  frame_->next.enter(statements, kind == BlockKind::Loop);
  if (strictSsa_) {
    boundHere_.emplace_back();
  }
  for (size_t i = skip; i < statements.size(); ++i) {
    frame_->next.at(i);
    statement(*statements[i]);
  }
  if (strictSsa_) {
    boundHere_.pop_back();
  }
  frame_->next.leave();
}

void KernelBuilder::refused(const Stmt &stmt, std::string what, std::string help) {
  diag::Diagnostic &d = reporter_.report(diag::NotAllowedInKernel, stmt.range, std::move(what));
  if (!help.empty()) {
    d.fixes.push_back({std::move(help), {}});
  }
}

void KernelBuilder::augmented(const Stmt &stmt) {
  std::string target = syntax::spell(*stmt.targets[0]);
  std::string_view op = stmt.text.substr(0, stmt.text.size() - 1);
  const Variable *variable = stmt.targets[0]->kind == Expr::Kind::Name ? env_.find(stmt.targets[0]->text) : nullptr;
  std::string_view named = operationOf(op);
  std::string instead;
  if (variable && (variable->value.isTensor() || variable->value.isTile()) && !named.empty()) {
    instead = "pl." + std::string(named) + "(" + target + ", " + syntax::spell(*stmt.value) + ")";
  } else {
    Expr whole;
    whole.kind = Expr::Kind::Binary;
    whole.text = op;
    whole.children = {stmt.targets[0], stmt.value};
    instead = syntax::spell(whole);
  }
  refused(stmt, "`" + std::string(stmt.text) + "`", "write `" + target + " = " + instead + "`");
  poisonAssigned({&stmt});
}

namespace {

/// What to write instead of a statement that PL does not have.
std::string insteadOf(std::string_view statement) {
  static const std::map<std::string_view, std::string> kInstead{
      {"`assert`", "use `pl.static_assert(condition)` for what is known while compiling"},
      {"`del`", "leave it out: a name that nothing reads costs nothing"},
      {"`global`", "pass the value as a parameter"},
      {"`nonlocal`", "pass the value as a parameter"},
      {"`raise`", "use `pl.static_assert(condition)` for what is known while compiling"},
      {"`match`", "write `if` and `elif`"},
      {"`try`", "a kernel raises nothing: keep the body alone"}};
  auto found = kInstead.find(statement);
  return found != kInstead.end() ? found->second : "";
}

bool isComment(const Stmt &stmt) {
  return stmt.kind == Stmt::Kind::Pass || (stmt.kind == Stmt::Kind::Expr && stmt.value->kind == Expr::Kind::String);
}

} // namespace

void KernelBuilder::statement(const Stmt &stmt) {
  inlinedStatements_ += inlining_.empty() ? 0 : 1;
  checkNames(stmt.value);
  for (const syntax::WithItem &item : stmt.items) {
    checkNames(item.value);
  }
  bool attributes = frame_->attributesAllowed;
  frame_->attributesAllowed = attributes && isComment(stmt);
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    assign(stmt);
    return;
  case Stmt::Kind::Expr:
    frame_->attributesAllowed |= attributes && pathOf(stmt.value) == "pl.func_attr";
    expressionStatement(stmt);
    return;
  case Stmt::Kind::Return:
    returnValues(stmt);
    return;
  case Stmt::Kind::If:
    ifStatement(stmt);
    return;
  case Stmt::Kind::For:
    forStatement(stmt);
    return;
  case Stmt::Kind::With:
    withStatement(stmt);
    return;
  case Stmt::Kind::Pass:
    return;
  case Stmt::Kind::AugAssign:
    augmented(stmt);
    return;
  case Stmt::Kind::While:
    whileStatement(stmt);
    return;
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    loopControl(stmt);
    return;
  case Stmt::Kind::Function:
    reporter_.report(diag::NotAllowedInKernel, stmt.nameRange, "a nested function")
        .fixes.push_back({"define it beside the kernel and decorate it with `@pl.jit.inline`", {}});
    return;
  case Stmt::Kind::Class:
    reporter_.report(diag::NotAllowedInKernel, stmt.nameRange, "a class");
    return;
  case Stmt::Kind::Import:
  case Stmt::Kind::ImportFrom:
    refused(stmt, "`import`", "import at the top of the module");
    return;
  case Stmt::Kind::Other:
    refused(stmt, std::string(stmt.text), insteadOf(stmt.text));
    unknownBody(stmt);
    return;
  case Stmt::Kind::Error:
    ++unknowns_; // reported by the parser
    return;
  }
}

void KernelBuilder::poisonAssigned(const std::vector<const Stmt *> &statements) {
  for (const std::string &name : assignedNames(statements)) {
    env_.set(name, {Val::poison(), env_[name].bound, ""});
  }
}

void KernelBuilder::unknownBody(const Stmt &stmt) {
  ++unknowns_;
  poisonAssigned({&stmt});
  block(stmt.body);
  poisonAssigned({&stmt});
}

void KernelBuilder::expressionStatement(const Stmt &stmt) {
  const Expr &value = *stmt.value;
  unknowns_ += value.kind == Expr::Kind::Error ? 1 : 0;
  if (value.kind == Expr::Kind::String || value.kind == Expr::Kind::Error) {
    return; // a comment in quotes
  }
  if (value.kind == Expr::Kind::Other && value.text == "`...`") {
    return; // an empty body
  }
  if (pathOf(&value) == "pl.yield_") {
    for (size_t i = 1; i < value.children.size(); ++i) {
      expression(*value.children[i]);
    }
    reporter_.report(diag::YieldMismatch, value.range, "a `pl.yield_` whose values nobody takes")
        .fixes.push_back({"bind what it hands on: `name = pl.yield_(value)`", {}});
    return;
  }
  checkUnusedResult(value, expressionOf(value)); // many operations have no value to know
}

void KernelBuilder::bindName(std::string_view name, source::ByteRange range, Val value) {
  if (value.isRuntime()) {
    if (mlir::Operation *op = value.ir.getDefiningOp()) {
      // The first name a value gets is its name; an alias does not rename it.
      // An access keeps the places of its arguments, and its name in an attribute.
      if (value.isScalar() && !mlir::isa<mlir::FusedLoc>(op->getLoc())) {
        if (!mlir::isa<mlir::NameLoc>(op->getLoc()) && op->getNumResults() == 1) {
          op->setLoc(mlir::NameLoc::get(builder_.getStringAttr(name), loc(range)));
        }
      } else if (!op->hasAttr(pl::kResultNameAttr) && op->getNumResults() == 1) {
        op->setAttr(pl::kResultNameAttr, builder_.getStringAttr(name));
      }
    }
  }
  env_.set(name, {std::move(value), range, ""});
}

void KernelBuilder::assign(const Stmt &stmt) {
  if (stmt.targets.size() > 1) {
    refused(stmt, "a chained assignment", "write one assignment a name");
    poisonAssigned({&stmt});
    return;
  }
  if (!stmt.value) {
    reporter_.report(diag::NotAllowedInKernel, stmt.range, "a declaration without a value");
    return;
  }
  Val value = expression(*stmt.value);
  if (stmt.annotation) {
    value = annotated(stmt, std::move(value));
  }
  assignTo(*stmt.targets[0], std::move(value), stmt);
}

void KernelBuilder::assignTo(const Expr &target, Val value, const Stmt &stmt) {
  switch (target.kind) {
  case Expr::Kind::Name: {
    const Variable *old = env_.find(target.text);
    if (old && !old->value.isPoison()) {
      const Val &before = old->value;
      bool typed = before.isRuntime() && value.isRuntime() && !(before.isScalar() && value.isScalar());
      // A block of its own may bind the name anew; the parameters belong to the outermost block.
      bool here = strictSsa_ && (boundHere_.size() <= 1 || boundHere_.back().contains(target.text));
      if (here && inlining_.empty()) {
        diag::Diagnostic &d = reporter_.report(diag::AssignedTwice, target.range, std::string(target.text));
        reporter_.note(d, old->bound, "first bound here", diag::Related::Role::Binding);
      } else if (typed && !frame_->decl.jit && surelyDiffer(before.ir.getType(), value.ir.getType())) {
        diag::Diagnostic &d = reporter_.report(diag::Reassignment, target.range, std::string(target.text),
                                               describe(before), describe(value));
        reporter_.note(d, old->bound, "first bound here", diag::Related::Role::Binding);
      }
      checkLostWrite(target, *old, value);
    }
    if (strictSsa_ && !boundHere_.empty()) {
      boundHere_.back().insert(target.text);
    }
    bindName(target.text, target.range, std::move(value));
    return;
  }
  case Expr::Kind::Tuple:
  case Expr::Kind::List: {
    if (target.children.size() == 1 && value.kind != Val::Kind::Tuple) {
      assignTo(*target.children[0], std::move(value), stmt); // `(x,) = pl.yield_(v)`
      return;
    }
    bool matched = value.kind == Val::Kind::Tuple && value.items.size() == target.children.size();
    if (!matched && !value.isPoison() && pathOf(stmt.value) != "pl.yield_") {
      typeMismatch(target.range, "the assignment",
                   "cannot unpack " + describe(value) + " into " + std::to_string(target.children.size()) + " names");
    }
    for (size_t i = 0; i < target.children.size(); ++i) {
      if (target.children[i]->kind == Expr::Kind::Subscript) {
        reporter_
            .report(diag::NotAllowedInKernel, target.children[i]->range, "a window among the names of an unpacking")
            .fixes.push_back({"unpack into names, and write the window in a statement of its own", {}});
        continue;
      }
      assignTo(*target.children[i], matched ? value.items[i] : Val::poison(), stmt);
    }
    return;
  }
  case Expr::Kind::Subscript:
    assignSubscript(target, std::move(value), stmt);
    return;
  case Expr::Kind::Error:
    return;
  case Expr::Kind::Attribute:
    expression(*target.children[0]);
    reporter_.report(diag::NotAllowedInKernel, target.range, "an assignment to `" + syntax::spell(target) + "`")
        .fixes.push_back({"bind a plain name: what PL passes around has no attributes to set", {}});
    return;
  default:
    reporter_.report(diag::NotAllowedInKernel, target.range, "an assignment to `" + syntax::spell(target) + "`");
  }
}

Val KernelBuilder::annotated(const Stmt &stmt, Val value) {
  // Extents may be names of the kernel: what only run time knows counts as a symbol.
  Scope own;
  own.parent = frame_->decl.scope;
  visitNames(*stmt.annotation, [&](const Expr &name) {
    if (const Variable *local = env_.find(name.text)) {
      const Val &known = local->value;
      ConstValue meaning = known.isConst()    ? known.constant
                           : known.isScalar() ? ConstValue::ofText(ConstValue::Kind::DynDim, std::string(name.text))
                                              : ConstValue::unknown("it is only known at run time");
      own.names[std::string(name.text)] = {std::move(meaning), local->bound};
    }
  });
  TypeInfo type = resolveAnnotation(*stmt.annotation, own.names.empty() ? *frame_->decl.scope : own, context_,
                                    AnnotationPlace::Local, reporter_);
  if (value.isPoison()) {
    return value;
  }
  source::ByteRange at = stmt.value->range;
  auto differs = [&](const std::string &declared) {
    diag::Diagnostic &d = reporter_.report(diag::TypeMismatch, at, "the annotation",
                                           "it says " + declared + ", the value is " + describe(value));
    reporter_.note(d, type.range, "declared here");
    return Val::poison();
  };
  switch (type.kind) {
  case TypeInfo::Kind::Tensor: {
    if (!value.isTensor()) {
      return differs(show(type.tensor));
    }
    pl::TensorType given = value.tensorType();
    if (given.getLayout() != type.tensor.getLayout()) {
      diag::Diagnostic &d = reporter_.report(diag::TypeMismatch, type.layoutRange, "the annotation",
                                             "it says " + show(type.tensor) + ", the value is " + show(given) +
                                                 ": an annotation declares a byte order, it does not convert bytes");
      reporter_.note(d, at, "this value");
      return Val::poison();
    }
    if (surelyDiffer(given, type.tensor)) {
      return differs(show(type.tensor));
    }
    if (type.tensor.isNz() && value.ir.getDefiningOp()) {
      value.ir.getDefiningOp()->setAttr(pl::kAnnotationAttr, loc(type.layoutRange));
    }
    return value;
  }
  case TypeInfo::Kind::Scalar: {
    std::string declared = "pl.Scalar[pl." + pl::plName(type.dtype).str() + "]";
    if (type.dtype == pl::DType::TaskId) {
      return value.isTask() ? value : differs(declared);
    }
    if (value.isConst() && value.constant.isNumber()) {
      mlir::Value made = materialize(value, type.dtype, at);
      return made ? Val::ofScalar(made, type.dtype) : Val::poison();
    }
    if (!value.isScalar() || pl::isFloat(value.dtype) != pl::isFloat(type.dtype)) {
      return differs(declared);
    }
    return value.dtype == type.dtype ? value : castScalar(value, type.dtype, at);
  }
  case TypeInfo::Kind::Tile:
    // An annotation may settle the memory space or the view, nothing else.
    return value.isTile() && !surelyDiffer(value.tileType(), type.tile) ? value : differs(show(type.tile));
  case TypeInfo::Kind::Array: {
    bool same =
        value.kind == Val::Kind::Array && value.arrayDtype() == type.dtype && value.arrayExtent() == type.extent;
    return same ? value : differs(show(type));
  }
  default:
    return value;
  }
}

} // namespace placid::frontend
