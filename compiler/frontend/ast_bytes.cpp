// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/ast_bytes.h"

#include <algorithm>
#include <cctype>

namespace placid::frontend {

using syntax::Expr;
using syntax::Parameter;
using syntax::PythonExpr;
using syntax::Stmt;

void AstBytes::putNumber(uint64_t value) {
  do {
    out_ += static_cast<char>((value & 127) | (value > 127 ? 128 : 0));
    value >>= 7;
  } while (value != 0);
}

void AstBytes::put(std::string_view text) {
  putNumber(text.size());
  out_ += text;
}

void AstBytes::wordsOf(std::string_view text) {
  auto starts = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; };
  auto goesOn = [&](char c) { return starts(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; at < text.size(); ++at) {
    if (!starts(text[at])) {
      continue;
    }
    NameChain chain;
    size_t end = at;
    while (end < text.size() && starts(text[end])) {
      size_t begin = end;
      while (end < text.size() && goesOn(text[end])) {
        ++end;
      }
      chain.push_back(text.substr(begin, end - begin));
      if (end >= text.size() || text[end] != '.') {
        break;
      }
      ++end;
    }
    names_.push_back(std::move(chain));
    at = end;
  }
}

/// Notes the whole chain once, and its shorter ones not at all.
bool AstBytes::putChain(const Expr &expr) {
  NameChain chain;
  const Expr *at = &expr;
  while (at->kind == Expr::Kind::Attribute && at->children[0]) {
    chain.push_back(at->text);
    at = at->children[0];
  }
  if (at->kind != Expr::Kind::Name) {
    return false;
  }
  chain.push_back(at->text);
  std::reverse(chain.begin(), chain.end());
  out_ += 'n';
  putList(chain, [&](std::string_view word) { put(word); });
  names_.push_back(std::move(chain));
  return true;
}

void AstBytes::put(const Expr *given) {
  if (!given) {
    out_ += '0';
    return;
  }
  const Expr &expr = *given;
  bool named = expr.kind == Expr::Kind::Name || expr.kind == Expr::Kind::Attribute;
  if (named && putChain(expr)) {
    return;
  }
  out_ += 'e';
  out_ += static_cast<char>(expr.kind);
  put(expr.text);
  putList(expr.children, [&](const Expr *child) { put(child); });
  putList(expr.keywords, [&](const syntax::Keyword &keyword) {
    put(keyword.name);
    put(keyword.value);
  });
  putList(expr.operators, [&](std::string_view op) { put(op); });
  out_ += expr.python ? '1' : '0';
  if (expr.python) {
    put(*expr.python);
  }
  if (expr.kind == Expr::Kind::String) {
    wordsOf(expr.text);
  }
}

void AstBytes::put(const Parameter &parameter) {
  put(parameter.name);
  put(parameter.annotation);
  put(parameter.defaultValue);
  out_ += parameter.variadic ? '1' : '0';
}

void AstBytes::put(const PythonExpr &expr) {
  out_ += static_cast<char>(expr.kind);
  put(expr.text);
  putList(expr.parts, [&](const Expr *part) { put(part); });
  putList(expr.clauses, [&](const syntax::ComprehensionClause &clause) {
    put(clause.target);
    put(clause.iterable);
    putList(clause.conditions, [&](const Expr *condition) { put(condition); });
  });
  putList(expr.parameters, [&](const Parameter &parameter) { put(parameter); });
  putList(expr.pieces, [&](const syntax::FormatPiece &piece) {
    put(piece.text);
    put(piece.value);
    out_ += piece.conversion;
    put(piece.spec);
    out_ += piece.named ? '1' : '0';
  });
}

void AstBytes::putBlock(const std::vector<const Stmt *> &statements) {
  putList(statements, [&](const Stmt *stmt) { put(*stmt); });
}

void AstBytes::put(const Stmt &stmt) {
  out_ += 's';
  out_ += static_cast<char>(stmt.kind);
  put(stmt.name);
  put(stmt.text);
  putList(stmt.decorators, [&](const Expr *decorator) { put(decorator); });
  putList(stmt.parameters, [&](const Parameter &parameter) { put(parameter); });
  put(stmt.annotation);
  putList(stmt.targets, [&](const Expr *target) { put(target); });
  put(stmt.value);
  putList(stmt.items, [&](const syntax::WithItem &item) {
    put(item.value);
    put(item.target);
  });
  putList(stmt.operands, [&](const Expr *operand) { put(operand); });
  putList(stmt.imports, [&](const syntax::ImportedName &import) {
    put(import.name);
    put(import.asName);
  });
  putBlock(stmt.body);
  putBlock(stmt.orelse);
}

} // namespace placid::frontend
