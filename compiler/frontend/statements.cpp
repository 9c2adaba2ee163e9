// SPDX-License-Identifier: Apache-2.0
// Statements: recovery is per statement, so each one is built whatever the one before it did.
#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

void KernelBuilder::block(const std::vector<const Stmt *> &statements, BlockKind kind) {
  frame_->next.enter(statements, kind == BlockKind::Loop);
  for (size_t i = 0; i < statements.size(); ++i) {
    frame_->next.at(i);
    statement(*statements[i]);
  }
  frame_->next.leave();
}

void KernelBuilder::statement(const Stmt &stmt) {
  inlinedStatements_ += inlining_.empty() ? 0 : 1;
  checkNames(stmt.value);
  for (const syntax::WithItem &item : stmt.items) {
    checkNames(item.value);
  }
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    assign(stmt);
    return;
  case Stmt::Kind::Expr:
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
    reporter_.report(diag::NotAllowedInKernel, stmt.range,
                     "`" + std::string(stmt.text) + "` (write `name = name " +
                         std::string(stmt.text.substr(0, stmt.text.size() - 1)) + " value`)");
    poisonAssigned({&stmt});
    return;
  case Stmt::Kind::While:
    notSupported(stmt.value->range, "a `while` loop");
    unknownBody(stmt);
    return;
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    notSupported(stmt.range, stmt.kind == Stmt::Kind::Break ? "`break`" : "`continue`");
    return;
  case Stmt::Kind::Function:
    reporter_.report(diag::NotAllowedInKernel, stmt.nameRange, "a nested function");
    return;
  case Stmt::Kind::Class:
    reporter_.report(diag::NotAllowedInKernel, stmt.nameRange, "a class");
    return;
  case Stmt::Kind::Import:
  case Stmt::Kind::ImportFrom:
    reporter_.report(diag::NotAllowedInKernel, stmt.range, "`import`");
    return;
  case Stmt::Kind::Other:
    reporter_.report(diag::NotAllowedInKernel, stmt.range, std::string(stmt.text));
    unknownBody(stmt);
    return;
  case Stmt::Kind::Error:
    return; // reported by the parser
  }
}

void KernelBuilder::poisonAssigned(const std::vector<const Stmt *> &statements) {
  for (const std::string &name : assignedNames(statements)) {
    env_[name] = {Val::poison(), env_[name].bound, ""};
  }
}

void KernelBuilder::unknownBody(const Stmt &stmt) {
  poisonAssigned({&stmt});
  block(stmt.body);
  poisonAssigned({&stmt});
}

void KernelBuilder::expressionStatement(const Stmt &stmt) {
  const Expr &value = *stmt.value;
  if (value.kind == Expr::Kind::String || value.kind == Expr::Kind::Error) {
    return; // a comment in quotes
  }
  if (value.kind == Expr::Kind::Other && value.text == "`...`") {
    return; // an empty body
  }
  expression(value);
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
  env_[std::string(name)] = {std::move(value), range, ""};
}

void KernelBuilder::assign(const Stmt &stmt) {
  if (stmt.targets.size() > 1) {
    reporter_.report(diag::NotAllowedInKernel, stmt.range, "a chained assignment");
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
    auto old = env_.find(target.text);
    bool differs = old != env_.end() && old->second.value.isRuntime() && value.isRuntime() &&
                   old->second.value.ir.getType() != value.ir.getType() && !frame_->decl.jit;
    bool scalars = differs && old->second.value.isScalar() && value.isScalar();
    if (differs && !scalars) {
      diag::Diagnostic &d = reporter_.report(diag::Reassignment, target.range, std::string(target.text),
                                             describe(old->second.value), describe(value));
      reporter_.note(d, old->second.bound, "first bound here", diag::Related::Role::Binding);
    }
    bindName(target.text, target.range, std::move(value));
    return;
  }
  case Expr::Kind::Tuple:
  case Expr::Kind::List: {
    if (target.children.size() == 1 && value.isRuntime()) {
      assignTo(*target.children[0], std::move(value), stmt); // `(x,) = pl.yield_(v)`
      return;
    }
    bool matched = value.kind == Val::Kind::Tuple && value.items.size() == target.children.size();
    if (!matched && !value.isPoison()) {
      typeMismatch(target.range, "the assignment",
                   "cannot unpack " + describe(value) + " into " + std::to_string(target.children.size()) + " names");
    }
    for (size_t i = 0; i < target.children.size(); ++i) {
      assignTo(*target.children[i], matched ? value.items[i] : Val::poison(), stmt);
    }
    return;
  }
  case Expr::Kind::Subscript:
    assignSubscript(target, std::move(value), stmt);
    return;
  case Expr::Kind::Error:
    return;
  default:
    reporter_.report(diag::NotAllowedInKernel, target.range, "an assignment to `" + syntax::spell(target) + "`");
  }
}

Val KernelBuilder::annotated(const Stmt &stmt, Val value) {
  TypeInfo type = resolveAnnotation(*stmt.annotation, *frame_->decl.scope, context_, AnnotationPlace::Local, reporter_);
  if (value.isPoison()) {
    return value;
  }
  source::ByteRange at = stmt.value->range;
  switch (type.kind) {
  case TypeInfo::Kind::Tensor: {
    if (!value.isTensor()) {
      return typeMismatch(at, "the annotation", "it says " + show(type.tensor) + ", the value is " + describe(value));
    }
    pl::TensorType given = value.tensorType();
    if (given.getLayout() != type.tensor.getLayout()) {
      diag::Diagnostic &d = reporter_.report(diag::TypeMismatch, type.layoutRange, "the annotation",
                                             "it says " + show(type.tensor) + ", the value is " + show(given) +
                                                 ": an annotation declares a byte order, it does not convert bytes");
      reporter_.note(d, at, "this value");
      return Val::poison();
    }
    bool comparable = given.hasStaticShape() && type.tensor.hasStaticShape();
    if (given.getDtype() != type.tensor.getDtype() || (comparable && given.getDims() != type.tensor.getDims())) {
      return typeMismatch(at, "the annotation", "it says " + show(type.tensor) + ", the value is " + show(given));
    }
    if (type.tensor.isNz() && value.ir.getDefiningOp()) {
      value.ir.getDefiningOp()->setAttr(pl::kAnnotationAttr, loc(type.layoutRange));
    }
    return value;
  }
  case TypeInfo::Kind::Scalar:
    if (value.isScalar()) {
      return value.dtype == type.dtype ? value : castScalar(value, type.dtype, at);
    }
    if (value.isConst() && value.constant.isNumber()) {
      mlir::Value made = materialize(value, type.dtype, at);
      return made ? Val::ofScalar(made, type.dtype) : Val::poison();
    }
    return value;
  case TypeInfo::Kind::Tile:
    if (!value.isTile()) {
      return typeMismatch(at, "the annotation", "it says " + show(type.tile) + ", the value is " + describe(value));
    }
    if (value.tileType().getShape() != type.tile.getShape() || value.tileType().getDtype() != type.tile.getDtype()) {
      return typeMismatch(at, "the annotation", "it says " + show(type.tile) + ", the value is " + describe(value));
    }
    return value;
  default:
    return value;
  }
}

} // namespace placid::frontend
