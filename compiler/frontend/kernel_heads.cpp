// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_heads.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

std::vector<const syntax::Parameter *> calledParameters(const KernelDecl &kernel) {
  std::vector<const syntax::Parameter *> out;
  for (const syntax::Parameter &parameter : kernel.function->parameters) {
    const bool self = &parameter == kernel.function->parameters.data() && parameter.name == "self";
    if (!self || kernel.programClass.empty()) {
      out.push_back(&parameter);
    }
  }
  return out;
}

const Expr *returnedValue(const Stmt &function) {
  const Stmt *last = function.body.empty() ? nullptr : function.body.back();
  while (last && last->kind == Stmt::Kind::With && !last->body.empty()) {
    last = last->body.back();
  }
  return last && last->kind == Stmt::Kind::Return ? last->value : nullptr;
}

std::vector<const Expr *> returnedItems(const Stmt &function) {
  const Expr *value = returnedValue(function);
  if (!value) {
    return {};
  }
  return value->kind == Expr::Kind::Tuple ? value->children : std::vector<const Expr *>{value};
}

std::vector<const Expr *> dynamicBindings(const Stmt &function) {
  std::vector<const Expr *> out;
  for (const Stmt *stmt : function.body) {
    const Expr *call = stmt->kind == Stmt::Kind::Expr ? stmt->value : nullptr;
    if (call && call->kind == Expr::Kind::Call && call->children.size() == 3 &&
        call->children[0]->kind == Expr::Kind::Attribute && call->children[0]->text == "bind_dynamic" &&
        call->children[0]->children[0]->kind == Expr::Kind::Name) {
      out.push_back(call);
    }
  }
  return out;
}

} // namespace placid::frontend
