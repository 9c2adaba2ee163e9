// SPDX-License-Identifier: Apache-2.0
// Which cores a kernel has sections for, looked up before it is read: in its own text and in the helpers that it calls.
#include "compiler/pro/kernel/reader.h"

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// `pl.section_cube()` and `pl.section_vector()` by their last name.
std::string_view sectionName(const Stmt &stmt) {
  const Expr *value = stmt.items.empty() ? nullptr : stmt.items[0].value;
  bool called = value && value->kind == Expr::Kind::Call && !value->children.empty();
  return called ? value->children[0]->text : std::string_view();
}

} // namespace

void KernelReader::findSections(const Block &statements, py::Env *env, std::set<const Stmt *> &seen) {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      continue; // read where it is called
    }
    if (stmt->kind == Stmt::Kind::With) {
      sections_.cube = sections_.cube || sectionName(*stmt) == "section_cube";
      sections_.vector = sections_.vector || sectionName(*stmt) == "section_vector";
    }
    for (const Expr *value : {stmt->value, stmt->kind == Stmt::Kind::Expr ? nullptr : stmt->annotation}) {
      findSections(value, env, seen);
    }
    findSections(stmt->body, env, seen);
    findSections(stmt->orelse, env, seen);
  }
}

/// The helpers that an expression calls.
void KernelReader::findSections(const Expr *expr, py::Env *env, std::set<const Stmt *> &seen) {
  if (!expr || (sections_.cube && sections_.vector)) {
    return;
  }
  for (const Expr *child : expr->children) {
    findSections(child, env, seen);
  }
  for (const syntax::Keyword &keyword : expr->keywords) {
    findSections(keyword.value, env, seen);
  }
  bool named = expr->kind == Expr::Kind::Call && !expr->children.empty() &&
               (expr->children[0]->kind == Expr::Kind::Name || expr->children[0]->kind == Expr::Kind::Attribute);
  if (!named) {
    return;
  }
  py::Value callee = interpreter_.evaluate(*expr->children[0], env);
  if (!callee.is(py::Kind::Function)) {
    return;
  }
  const auto &function = callee.as<py::FunctionObject>();
  if (function.definition && function.env && seen.insert(function.definition).second) {
    findSections(function.definition->body, function.env, seen);
  }
}

} // namespace placid::pro
