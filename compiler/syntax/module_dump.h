// SPDX-License-Identifier: Apache-2.0
// A parsed text as one string with everything that its nodes say, places included: what two ways of parsing are
// compared by. Of tests; one thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <string>
#include <string_view>
#include <utility>

namespace placid::syntax::testing {

/// Everything a module says.
class Dump {
public:
  explicit Dump(const Module &module) {
    for (const Stmt *stmt : module.body) {
      put(*stmt);
    }
    for (const SyntaxFault &fault : module.faults) {
      out_ += "fault " + fault.message;
    }
  }
  std::string take() { return std::move(out_); }

private:
  void put(ByteRange at) { out_ += "@" + std::to_string(at.begin) + "-" + std::to_string(at.end) + " "; }
  void put(std::string_view text) { out_ += std::to_string(text.size()) + ":" + std::string(text) + " "; }
  template <class T> void putAll(const T &list) {
    out_ += "{";
    for (const auto &item : list) {
      put(item);
    }
    out_ += "}";
  }
  void put(const Keyword &keyword) {
    put(keyword.name);
    put(keyword.nameRange);
    put(keyword.value);
  }
  void put(const Parameter &parameter) {
    put(parameter.name);
    put(parameter.nameRange);
    put(parameter.annotation);
    put(parameter.defaultValue);
    out_ += parameter.variadic ? "*" : "";
  }
  void put(const ComprehensionClause &clause) {
    put(clause.target);
    put(clause.iterable);
    putAll(clause.conditions);
  }
  void put(const FormatPiece &piece) {
    put(piece.text);
    put(piece.value);
    out_ += piece.conversion ? piece.conversion : '-';
    put(piece.spec);
    out_ += piece.named ? "=" : "";
  }
  void put(const Expr *expr) {
    if (!expr) {
      out_ += "~";
      return;
    }
    out_ += "(" + std::to_string(static_cast<int>(expr->kind)) + " ";
    put(expr->text);
    put(expr->range);
    put(expr->nameRange);
    putAll(expr->children);
    putAll(expr->keywords);
    putAll(expr->operators);
    if (const PythonExpr *python = expr->python) {
      out_ += "py" + std::to_string(static_cast<int>(python->kind)) + " ";
      put(python->text);
      putAll(python->parts);
      putAll(python->clauses);
      putAll(python->parameters);
      putAll(python->pieces);
    }
    out_ += ")";
  }
  void put(const WithItem &item) {
    put(item.value);
    put(item.target);
  }
  void put(const ImportedName &name) {
    put(name.name);
    put(name.asName);
  }
  void put(const Stmt *stmt) { put(*stmt); }
  void put(const Stmt &stmt) {
    out_ += "\n[" + std::to_string(static_cast<int>(stmt.kind)) + " ";
    put(stmt.range);
    put(stmt.nameRange);
    put(stmt.name);
    put(stmt.text);
    putAll(stmt.targets);
    put(stmt.value);
    put(stmt.annotation);
    putAll(stmt.decorators);
    putAll(stmt.parameters);
    putAll(stmt.imports);
    putAll(stmt.items);
    putAll(stmt.operands);
    putAll(stmt.body);
    putAll(stmt.orelse);
    out_ += "]";
  }

  std::string out_;
};

inline std::string dump(const Module &module) { return Dump(module).take(); }

} // namespace placid::syntax::testing
