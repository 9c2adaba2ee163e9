// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/mentions.h"

namespace placid::syntax {

namespace {

NameMask mentionedBy(const Expr *expr) {
  if (!expr) {
    return 0;
  }
  NameMask out = expr->kind == Expr::Kind::Name ? nameMask(expr->text) : 0;
  for (const Expr *child : expr->children) {
    out |= mentionedBy(child);
  }
  for (const Keyword &keyword : expr->keywords) {
    out |= mentionedBy(keyword.value);
  }
  return out;
}

NameMask mentionedBy(const Stmt &stmt) {
  if (stmt.kind == Stmt::Kind::Return) {
    return ~NameMask{0};
  }
  NameMask out = mentionedBy(stmt.value) | mentionedBy(stmt.annotation);
  for (const std::vector<const Expr *> *list : {&stmt.targets, &stmt.decorators, &stmt.operands}) {
    for (const Expr *expr : *list) {
      out |= mentionedBy(expr);
    }
  }
  for (const WithItem &item : stmt.items) {
    out |= mentionedBy(item.value) | mentionedBy(item.target);
  }
  for (const Parameter &parameter : stmt.parameters) {
    out |= mentionedBy(parameter.annotation) | mentionedBy(parameter.defaultValue);
  }
  for (const std::vector<const Stmt *> *block : {&stmt.body, &stmt.orelse}) {
    for (const Stmt *inner : *block) {
      out |= inner->mentions;
    }
  }
  return out;
}

} // namespace

NameMask nameMask(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return NameMask{1} << (hash >> 58);
}

void completeMentions(Module &module) {
  // A statement is made before the ones in its blocks, so going backwards finds those done.
  for (auto stmt = module.stmts.rbegin(); stmt != module.stmts.rend(); ++stmt) {
    stmt->mentions = mentionedBy(*stmt);
  }
}

} // namespace placid::syntax
