// SPDX-License-Identifier: Apache-2.0
// Tokens and statements.
#include "compiler/syntax/direct_parser.h"

#include <algorithm>

namespace placid::syntax {

bool DirectParser::run(std::vector<std::shared_ptr<Part>> &out) {
  advance();
  while (good_ && (out.empty() || token_.kind != Token::Kind::End)) {
    out.push_back(std::make_shared<Part>());
    part_ = out.back().get();
    part_->text = holder_;
    part_->begin = out.size() == 1 ? 0 : token_.begin;
    while (good_ && token_.kind != Token::Kind::End && token_.begin - part_->begin < kPartBytes) {
      statement(part_->body);
    }
  }
  return good_;
}

void DirectParser::advance() {
  bool solid = token_.kind <= Token::Kind::Operator;
  end_ = solid ? token_.end : end_;
  token_ = good_ ? lexer_.next() : Token();
  good_ = good_ && token_.kind != Token::Kind::Bad;
}

bool DirectParser::isOperator(std::string_view text) const {
  return token_.kind == Token::Kind::Operator && token_.code == code(text);
}

bool DirectParser::isKeyword(std::string_view text) const {
  return token_.kind == Token::Kind::Keyword && token_.code == code(text);
}

bool DirectParser::takeOperator(std::string_view text) {
  bool is = isOperator(text);
  if (is) {
    advance();
  }
  return is;
}

bool DirectParser::takeKeyword(std::string_view text) {
  bool is = isKeyword(text);
  if (is) {
    advance();
  }
  return is;
}

void DirectParser::expectOperator(std::string_view text) {
  if (!takeOperator(text)) {
    giveUp();
  }
}

void DirectParser::expectKeyword(std::string_view text) {
  if (!takeKeyword(text)) {
    giveUp();
  }
}

Expr &DirectParser::newExpr(Expr::Kind kind, uint32_t begin, uint32_t end) {
  const bool leaf = kind == Expr::Kind::Name || kind == Expr::Kind::Int || kind == Expr::Kind::Float ||
                    kind == Expr::Kind::String || kind == Expr::Kind::Bool || kind == Expr::Kind::None;
  if (!leaf && ++height_ > kMaxDirectHeight) {
    giveUp();
  }
  Expr &out = part_->exprs.emplace_back();
  out.kind = kind;
  out.range = {begin, end};
  return out;
}

Stmt &DirectParser::newStmt(Stmt::Kind kind, uint32_t begin) {
  Stmt &out = part_->stmts.emplace_back();
  out.kind = kind;
  out.range = {begin, begin};
  return out;
}

PythonExpr &DirectParser::newPython(Expr &of, PythonExpr::Kind kind) {
  PythonExpr &made = part_->pythonExprs.emplace_back();
  made.kind = kind;
  of.python = &made;
  return made;
}

DirectParser::Read DirectParser::fail() {
  static const Expr kNothing;
  giveUp();
  return {&kNothing, 0, 0, false};
}

void DirectParser::statement(std::vector<const Stmt *> &out) {
  height_ = 0;
  if (isOperator("@")) {
    out.push_back(decorated());
  } else if (token_.kind != Token::Kind::Keyword) {
    simpleLine(out);
  } else if (isKeyword("if")) {
    out.push_back(ifStatement());
  } else if (isKeyword("for") || isKeyword("while")) {
    out.push_back(loop());
  } else if (isKeyword("try")) {
    out.push_back(tryStatement());
  } else if (isKeyword("with")) {
    out.push_back(withStatement());
  } else if (isKeyword("def") || isKeyword("class")) {
    out.push_back(definition({}, token_.begin));
  } else {
    simpleLine(out);
  }
}

void DirectParser::simpleLine(std::vector<const Stmt *> &out) {
  while (good_) {
    out.push_back(simple());
    bool more = takeOperator(";");
    if (token_.kind == Token::Kind::Newline) {
      advance();
      return;
    }
    if (!more) {
      giveUp();
    }
  }
}

const Stmt *DirectParser::simple() {
  height_ = 0;
  uint32_t begin = token_.begin;
  auto bare = [&](Stmt::Kind kind) -> const Stmt * {
    Stmt &made = newStmt(kind, begin);
    advance();
    made.range.end = end_;
    return &made;
  };
  auto other = [&](std::string_view words) -> Stmt & {
    Stmt &made = newStmt(Stmt::Kind::Other, begin);
    made.text = words;
    advance();
    return made;
  };
  auto done = [&](Stmt &made) -> const Stmt * {
    made.range.end = end_;
    return &made;
  };
  if (token_.kind != Token::Kind::Keyword) {
    return expressionStatement();
  }
  if (isKeyword("pass")) {
    return bare(Stmt::Kind::Pass);
  }
  if (isKeyword("break")) {
    return bare(Stmt::Kind::Break);
  }
  if (isKeyword("continue")) {
    return bare(Stmt::Kind::Continue);
  }
  if (isKeyword("return")) {
    Stmt &made = newStmt(Stmt::Kind::Return, begin);
    advance();
    if (token_.kind != Token::Kind::Newline && !isOperator(";")) {
      made.value = expressionList(/*mayStar=*/false).expr;
    }
    return done(made);
  }
  if (isKeyword("import")) {
    return importStatement();
  }
  if (isKeyword("from")) {
    return fromImport();
  }
  if (isKeyword("assert")) {
    Stmt &made = other("`assert`");
    do {
      made.operands.push_back(expression().expr);
    } while (good_ && takeOperator(","));
    return done(made);
  }
  if (isKeyword("raise")) {
    Stmt &made = other("`raise`");
    if (token_.kind != Token::Kind::Newline && !isOperator(";")) {
      made.operands.push_back(expression().expr);
      if (takeKeyword("from")) {
        made.operands.push_back(expression().expr);
      }
    }
    return done(made);
  }
  if (isKeyword("del")) {
    Stmt &made = other("`del`");
    made.operands.push_back(expressionList(/*mayStar=*/false).expr);
    return done(made);
  }
  if (isKeyword("global")) {
    return listedNames(other("`global`"));
  }
  if (isKeyword("nonlocal")) {
    return listedNames(other("`nonlocal`"));
  }
  return expressionStatement();
}

const Stmt *DirectParser::listedNames(Stmt &made) {
  do {
    if (token_.kind != Token::Kind::Name) {
      giveUp();
      break;
    }
    Expr &name = newExpr(Expr::Kind::Name, token_.begin, token_.end);
    name.text = text(token_.begin, token_.end);
    made.operands.push_back(&name);
    advance();
  } while (good_ && takeOperator(","));
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::expressionStatement() {
  uint32_t begin = token_.begin;
  std::string_view word = token_.kind == Token::Kind::Name ? text(token_.begin, token_.end) : std::string_view();
  if (word == "match" || word == "type" || word == "exec") {
    size_t next = text_.find_first_not_of(' ', token_.end);
    bool bound = next + 1 < text_.size() && text_[next] == '=' && text_[next + 1] != '=';
    if (!bound || word == "exec") {
      giveUp(); // statements of their own, or not
    }
  }
  // Made before its parts, as blocks expect; what it is shows later.
  Stmt &made = newStmt(Stmt::Kind::Expr, begin);
  Read first = expressionList(/*mayStar=*/true);
  // `a, *b` is read in two ways where it is no target.
  auto starred = [](const Read &part) {
    const std::vector<const Expr *> &items = part.expr->children;
    return part.expr->kind == Expr::Kind::Starred ||
           (part.expr->kind == Expr::Kind::Tuple && std::any_of(items.begin(), items.end(), [](const Expr *item) {
              return item->kind == Expr::Kind::Starred;
            }));
  };
  if (word == "print" && (first.expr->kind != Expr::Kind::Call || first.expr->children[0]->text != "print" ||
                          (token_.kind != Token::Kind::Newline && !isOperator(";")))) {
    giveUp();
  }
  if (isOperator("=")) {
    made.kind = Stmt::Kind::Assign;
    Read value = first;
    while (good_ && takeOperator("=")) {
      if (!isTarget(value)) {
        giveUp();
      }
      made.targets.push_back(value.expr);
      value = expressionList(/*mayStar=*/true);
    }
    made.value = value.expr;
    if (starred(value)) {
      giveUp();
    }
  } else if (isOperator(":") && !first.wrapped &&
             (first.expr->kind == Expr::Kind::Name || first.expr->kind == Expr::Kind::Attribute ||
              first.expr->kind == Expr::Kind::Subscript)) {
    advance();
    made.kind = Stmt::Kind::Assign;
    made.targets.push_back(first.expr);
    made.annotation = annotation();
    if (takeOperator("=")) {
      made.value = expressionList(/*mayStar=*/false).expr;
    }
  } else if (token_.kind == Token::Kind::Operator && token_.end > token_.begin + 1 && text_[token_.end - 1] == '=') {
    std::string_view op = text(token_.begin, token_.end);
    bool single = first.expr->kind == Expr::Kind::Name || first.expr->kind == Expr::Kind::Attribute ||
                  first.expr->kind == Expr::Kind::Subscript;
    if (!single || first.wrapped || op == "==" || op == "!=" || op == "<=" || op == ">=" || op == ":=") {
      giveUp();
    }
    made.kind = Stmt::Kind::AugAssign;
    made.targets = {first.expr};
    made.text = op;
    advance();
    made.value = expressionList(/*mayStar=*/false).expr;
  } else {
    if (first.expr->kind == Expr::Kind::Starred || first.expr->kind == Expr::Kind::Tuple) {
      giveUp(); // a tuple that nobody takes: the grammar may join it with the next line
    }
    made.value = first.expr;
  }
  made.range.end = end_;
  return &made;
}

std::vector<const Stmt *> DirectParser::suite() {
  std::vector<const Stmt *> out;
  expectOperator(":");
  if (++depth_ > kMaxDirectDepth) {
    giveUp();
  }
  if (token_.kind != Token::Kind::Newline) {
    bool compound = token_.kind == Token::Kind::Keyword &&
                    (isKeyword("if") || isKeyword("for") || isKeyword("while") || isKeyword("try") ||
                     isKeyword("with") || isKeyword("def") || isKeyword("class"));
    if (compound) {
      giveUp();
    }
    simpleLine(out);
  } else {
    advance();
    if (token_.kind != Token::Kind::Indent) {
      giveUp();
    }
    advance();
    while (good_ && token_.kind != Token::Kind::Dedent) {
      statement(out);
    }
    advance();
  }
  --depth_;
  return out;
}

const Stmt *DirectParser::ifStatement() {
  Stmt &made = newStmt(Stmt::Kind::If, token_.begin);
  // Chains are long rather than deep: every `elif` is the else part of the one before.
  std::vector<Stmt *> chain{&made};
  advance();
  made.value = namedExpression().expr;
  made.body = suite();
  made.range.end = end_;
  while (good_ && isKeyword("elif")) {
    Stmt &next = newStmt(Stmt::Kind::If, token_.begin);
    advance();
    next.value = namedExpression().expr;
    next.body = suite();
    next.range.end = end_;
    chain.back()->orelse = {&next};
    chain.push_back(&next);
    if (chain.size() > kMaxDirectDepth) {
      giveUp();
    }
  }
  if (good_ && takeKeyword("else")) {
    chain.back()->orelse = suite();
  }
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::loop() {
  bool counted = isKeyword("for");
  Stmt &made = newStmt(counted ? Stmt::Kind::For : Stmt::Kind::While, token_.begin);
  advance();
  if (counted) {
    made.targets = {targetList().expr};
    expectKeyword("in");
    made.value = expressionList(/*mayStar=*/false).expr;
  } else {
    made.value = namedExpression().expr;
  }
  made.body = suite();
  if (good_ && takeKeyword("else")) {
    made.orelse = suite();
  }
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::tryStatement() {
  Stmt &made = newStmt(Stmt::Kind::Other, token_.begin);
  made.text = kTry;
  advance();
  made.body = suite();
  while (good_ && (isKeyword("except") || isKeyword("else") || isKeyword("finally"))) {
    Stmt &part = newStmt(Stmt::Kind::Other, token_.begin);
    part.text = isKeyword("except") ? kExcept : isKeyword("else") ? kElse : kFinally;
    bool handler = isKeyword("except");
    advance();
    if (handler && !isOperator(":")) {
      part.value = expression().expr;
      if (takeKeyword("as")) {
        Read name = target();
        if (name.expr->kind != Expr::Kind::Name || name.wrapped) {
          giveUp();
        }
        part.targets = {name.expr};
      }
    }
    part.body = suite();
    part.range.end = end_;
    made.orelse.push_back(&part);
  }
  // The order of clauses is the grammar's to judge.
  size_t at = 0;
  auto count = [&](std::string_view which) {
    size_t begin = at;
    while (at < made.orelse.size() && made.orelse[at]->text == which) {
      ++at;
    }
    return at - begin;
  };
  size_t handlers = count(kExcept);
  size_t elses = count(kElse);
  size_t finals = count(kFinally);
  if (at != made.orelse.size() || handlers + finals == 0 || elses > 1 || finals > 1 || (elses > 0 && handlers == 0)) {
    giveUp();
  }
  made.range.end = end_;
  return &made;
}

const Stmt *DirectParser::withStatement() {
  Stmt &made = newStmt(Stmt::Kind::With, token_.begin);
  advance();
  do {
    if (isOperator("(")) {
      giveUp(); // items in parentheses, or a value in them
      break;
    }
    WithItem item;
    item.value = expression().expr;
    if (takeKeyword("as")) {
      Read bound = target();
      if (bound.wrapped || bound.expr->kind == Expr::Kind::Tuple || bound.expr->kind == Expr::Kind::List ||
          bound.expr->kind == Expr::Kind::Starred) {
        giveUp();
      }
      item.target = bound.expr;
    }
    made.items.push_back(item);
  } while (good_ && takeOperator(","));
  made.body = suite();
  made.range.end = end_;
  return &made;
}

} // namespace placid::syntax
