// SPDX-License-Identifier: Apache-2.0
// The source's own spelling of an expression, normalised to one line with single spaces.
#include "compiler/syntax/ast.h"

namespace placid::syntax {

namespace {

unsigned precedence(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Bool2:
    return expr.text == "or" ? 1 : 2;
  case Expr::Kind::Compare:
    return 4;
  case Expr::Kind::Binary:
    if (expr.text == "|" || expr.text == "^" || expr.text == "&") {
      return 5;
    }
    if (expr.text == "<<" || expr.text == ">>") {
      return 6;
    }
    return expr.text == "+" || expr.text == "-" ? 7 : expr.text == "**" ? 10 : 8;
  case Expr::Kind::Unary:
    return expr.text == "not" ? 3 : 9;
  default:
    return 11;
  }
}

void spellInto(const Expr &expr, std::string &out);

void spellWithin(const Expr &expr, unsigned atLeast, std::string &out) {
  bool wrap = precedence(expr) < atLeast;
  out += wrap ? "(" : "";
  spellInto(expr, out);
  out += wrap ? ")" : "";
}

void spellList(const std::vector<const Expr *> &items, size_t first, std::string &out) {
  for (size_t i = first; i < items.size(); ++i) {
    out += i > first ? ", " : "";
    if (items[i]) {
      spellInto(*items[i], out);
    }
  }
}

void spellInto(const Expr &expr, std::string &out) {
  switch (expr.kind) {
  case Expr::Kind::Name:
  case Expr::Kind::Int:
  case Expr::Kind::Float:
  case Expr::Kind::Bool:
    out += expr.text;
    return;
  case Expr::Kind::None:
    out += "None";
    return;
  case Expr::Kind::String:
    out += '"';
    out += expr.text;
    out += '"';
    return;
  case Expr::Kind::Attribute:
    spellWithin(*expr.children[0], 11, out);
    out += '.';
    out += expr.text;
    return;
  case Expr::Kind::Call:
    spellWithin(*expr.children[0], 11, out);
    out += '(';
    spellList(expr.children, 1, out);
    for (size_t i = 0; i < expr.keywords.size(); ++i) {
      out += i > 0 || expr.children.size() > 1 ? ", " : "";
      out += expr.keywords[i].name;
      out += '=';
      spellInto(*expr.keywords[i].value, out);
    }
    out += ')';
    return;
  case Expr::Kind::Subscript:
    spellWithin(*expr.children[0], 11, out);
    out += '[';
    spellList(expr.children, 1, out);
    out += ']';
    return;
  case Expr::Kind::Slice:
    for (size_t i = 0; i < 3; ++i) {
      out += i == 1 || (i == 2 && expr.children[2]) ? ":" : "";
      if (expr.children[i]) {
        spellInto(*expr.children[i], out);
      }
    }
    return;
  case Expr::Kind::List:
    out += '[';
    spellList(expr.children, 0, out);
    out += ']';
    return;
  case Expr::Kind::Tuple:
    out += '(';
    spellList(expr.children, 0, out);
    out += ')';
    return;
  case Expr::Kind::Binary:
  case Expr::Kind::Bool2: {
    unsigned own = precedence(expr);
    spellWithin(*expr.children[0], own, out);
    out += ' ';
    out += expr.text;
    out += ' ';
    spellWithin(*expr.children[1], own + 1, out);
    return;
  }
  case Expr::Kind::Compare:
    for (size_t i = 0; i < expr.children.size(); ++i) {
      if (i > 0) {
        out += ' ';
        out += i - 1 < expr.operators.size() ? expr.operators[i - 1] : "?";
        out += ' ';
      }
      spellWithin(*expr.children[i], 5, out);
    }
    return;
  case Expr::Kind::Unary:
    out += expr.text;
    out += expr.text == "not" ? " " : "";
    spellWithin(*expr.children[0], 9, out);
    return;
  case Expr::Kind::Starred:
    out += '*';
    spellList(expr.children, 0, out);
    return;
  case Expr::Kind::Other:
  case Expr::Kind::Error:
    out += "...";
    return;
  }
}

} // namespace

std::string spell(const Expr &expr) {
  std::string out;
  spellInto(expr, out);
  return out;
}

} // namespace placid::syntax
