// SPDX-License-Identifier: Apache-2.0
// Imports, functions, classes, and the annotations of all.
#include "compiler/syntax/direct_parser.h"

namespace placid::syntax {

std::string_view DirectParser::dottedName() {
  uint32_t begin = token_.begin;
  uint32_t last = begin;
  while (good_) {
    if (token_.kind != Token::Kind::Name || token_.begin != last) {
      giveUp(); // blanks inside would be in the text
      break;
    }
    advance();
    if (!isOperator(".")) {
      break;
    }
    if (token_.begin != end_) {
      giveUp();
    }
    last = token_.end;
    advance();
  }
  return text(begin, end_);
}

void DirectParser::importedNames(std::vector<ImportedName> &out, bool wrapped) {
  do {
    if (wrapped && isOperator(")")) {
      break;
    }
    ImportedName made;
    made.name = dottedName();
    made.asName = made.name;
    if (takeKeyword("as")) {
      made.asName = text(token_.begin, token_.end);
      if (token_.kind != Token::Kind::Name) {
        giveUp();
      }
      advance();
    }
    out.push_back(made);
  } while (good_ && takeOperator(","));
  if (out.empty()) {
    giveUp();
  }
}

const Stmt *DirectParser::importStatement() {
  Stmt &made = newStmt(Stmt::Kind::Import, token_.begin);
  advance();
  importedNames(made.imports, /*wrapped=*/false);
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::fromImport() {
  Stmt &made = newStmt(Stmt::Kind::ImportFrom, token_.begin);
  advance();
  uint32_t begin = token_.begin;
  bool joined = true;
  while (isOperator(".") || isOperator("...")) {
    joined &= token_.begin == begin || token_.begin == end_;
    advance();
  }
  if (!isKeyword("import")) {
    joined &= token_.begin == begin || token_.begin == end_;
    dottedName();
  }
  made.text = text(begin, end_);
  if (!joined || begin >= end_) {
    giveUp();
  }
  expectKeyword("import");
  if (takeOperator("*")) {
    made.imports.push_back({"*", "*"});
  } else if (takeOperator("(")) {
    importedNames(made.imports, /*wrapped=*/true);
    expectOperator(")");
  } else {
    importedNames(made.imports, /*wrapped=*/false);
  }
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::decorated() {
  uint32_t begin = token_.begin;
  std::vector<const Expr *> decorators;
  while (good_ && takeOperator("@")) {
    decorators.push_back(expression().expr);
    if (token_.kind != Token::Kind::Newline) {
      giveUp();
    }
    advance();
  }
  if (!isKeyword("def") && !isKeyword("class")) {
    giveUp();
  }
  return definition(std::move(decorators), begin);
}

const Stmt *DirectParser::definition(std::vector<const Expr *> decorators, uint32_t begin) {
  bool function = isKeyword("def");
  Stmt &made = newStmt(function ? Stmt::Kind::Function : Stmt::Kind::Class, begin);
  made.decorators = std::move(decorators);
  advance();
  if (token_.kind != Token::Kind::Name) {
    giveUp();
  }
  made.name = text(token_.begin, token_.end);
  made.nameRange = {token_.begin, token_.end};
  advance();
  if (function) {
    expectOperator("(");
    parameters(made.parameters, ")", /*annotations=*/true);
    expectOperator(")");
    if (takeOperator("->")) {
      made.annotation = annotation();
    }
  } else if (takeOperator("(")) {
    std::vector<Keyword> keywords;
    while (good_ && !isOperator(")")) {
      Read base = expression();
      if (isOperator("=") && base.expr->kind == Expr::Kind::Name && !base.wrapped) {
        advance();
        const Expr *value = expression().expr;
        keywords.push_back({base.expr->text, base.expr->range, value});
      } else {
        made.operands.push_back(base.expr);
      }
      if (!isOperator(")")) {
        expectOperator(",");
      }
    }
    expectOperator(")");
    if (!keywords.empty()) {
      Expr &all = newExpr(Expr::Kind::Other, keywords.front().nameRange.begin, keywords.back().value->range.end);
      all.text = kClassKeywords;
      all.keywords = std::move(keywords);
      made.value = &all;
    }
  }
  made.body = suite();
  made.range.end = end_;
  return &made;
}

void DirectParser::parameters(std::vector<Parameter> &out, std::string_view close, bool annotations) {
  while (good_ && !isOperator(close)) {
    Parameter made;
    uint32_t begin = token_.begin;
    bool starred = isOperator("*") || isOperator("**");
    bool lone = isOperator("/");
    if (starred || lone) {
      bool one = isOperator("*");
      advance();
      lone |= one && (isOperator(",") || isOperator(close));
    }
    if (!lone) {
      if (token_.kind != Token::Kind::Name) {
        giveUp();
      }
      advance();
    }
    made.variadic = starred || lone;
    made.name = text(begin, end_);
    made.nameRange = {begin, end_};
    if (!lone && annotations && takeOperator(":")) {
      made.annotation = annotation();
    }
    if (!made.variadic && takeOperator("=")) {
      made.defaultValue = expression().expr;
    }
    out.push_back(made);
    if (!isOperator(close)) {
      expectOperator(",");
    }
  }
}

const Expr *DirectParser::annotation() {
  uint32_t begin = token_.begin;
  if (++depth_ > kMaxDirectDepth || isOperator("*")) {
    giveUp();
  }
  size_t next = token_.kind == Token::Kind::Name ? text_.find_first_not_of(" \t\\\r\n", token_.end) : text_.size();
  bool named = next < text_.size() && text_[next] == '[';
  const Expr *out = nullptr;
  if (named) {
    // `Name[…]` holds types, which may be of this form again.
    Expr &name = newExpr(Expr::Kind::Name, token_.begin, token_.end);
    name.text = text(token_.begin, token_.end);
    advance();
    advance();
    std::vector<const Expr *> children{&name};
    do {
      if (isOperator("]") && children.size() > 1) {
        break;
      }
      children.push_back(annotation());
    } while (good_ && takeOperator(","));
    expectOperator("]");
    // With another type beside it the grammar calls it a union, which is nothing that we know.
    bool joined = isOperator("|");
    while (good_ && takeOperator("|")) {
      annotation();
    }
    Expr &made = newExpr(joined ? Expr::Kind::Other : Expr::Kind::Subscript, begin, end_);
    if (joined) {
      made.text = "this expression";
    } else {
      made.children = std::move(children);
    }
    bool ends = token_.kind == Token::Kind::Newline || isOperator("=") || isOperator(",") || isOperator(")") ||
                isOperator("]") || isOperator(":") || isOperator(";");
    if (!ends) {
      giveUp();
    }
    out = &made;
  } else {
    out = expression().expr;
  }
  --depth_;
  return out;
}

} // namespace placid::syntax
