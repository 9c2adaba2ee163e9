// SPDX-License-Identifier: Apache-2.0
// Expressions, by descent through Python's levels of binding.
#include "compiler/syntax/direct_parser.h"

#include <algorithm>
#include <array>
#include <utility>

namespace placid::syntax {

namespace {

/// The binary operators of one level, the weakest first. `^` is missing: see DirectLexer.
constexpr std::array<std::array<uint64_t, 5>, 5> kLevels{{{code("|"), 0, 0, 0, 0},
                                                          {code("&"), 0, 0, 0, 0},
                                                          {code("<<"), code(">>"), 0, 0, 0},
                                                          {code("+"), code("-"), 0, 0, 0},
                                                          {code("*"), code("/"), code("//"), code("%"), code("@")}}};

bool isPattern(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Name:
  case Expr::Kind::Attribute:
  case Expr::Kind::Subscript:
    return true;
  case Expr::Kind::Starred:
    return expr.children[0]->kind == Expr::Kind::Name;
  case Expr::Kind::Tuple:
  case Expr::Kind::List:
    return std::all_of(expr.children.begin(), expr.children.end(), [](const Expr *child) { return isPattern(*child); });
  default:
    return false;
  }
}

} // namespace

DirectParser::Read DirectParser::expression() {
  if (++depth_ > kMaxDirectDepth) {
    return fail();
  }
  // What stands beside this expression is no part of it.
  const unsigned beside = std::exchange(height_, 0);
  Read out;
  if (isKeyword("lambda")) {
    out = lambda();
  } else {
    out = orTest();
    if (takeKeyword("if")) {
      Read condition = orTest();
      expectKeyword("else");
      Read other = expression();
      Expr &made = newExpr(Expr::Kind::Other, out.begin, other.end);
      made.text = "a conditional expression";
      newPython(made, PythonExpr::Kind::Conditional).parts = {out.expr, condition.expr, other.expr};
      out = {&made, out.begin, other.end, false};
    }
  }
  height_ = std::max(height_, beside);
  --depth_;
  return out;
}

DirectParser::Read DirectParser::namedExpression() {
  Read out = expression();
  if (!isOperator(":=")) {
    return out;
  }
  if (out.expr->kind != Expr::Kind::Name || out.wrapped) {
    return fail();
  }
  advance();
  Read value = expression();
  Expr &made = newExpr(Expr::Kind::Other, out.begin, value.end);
  made.text = "an assignment expression";
  newPython(made, PythonExpr::Kind::Walrus).parts = {out.expr, value.expr};
  return {&made, out.begin, value.end, false};
}

DirectParser::Read DirectParser::starredOrNamed() {
  uint32_t begin = token_.begin;
  if (!takeOperator("*")) {
    return namedExpression();
  }
  Read inner = expression();
  Expr &made = newExpr(Expr::Kind::Starred, begin, inner.end);
  made.children = {inner.expr};
  return {&made, begin, inner.end, inner.wrapped};
}

/// One expression, or a tuple without parentheses, whose last comma is part of it.
DirectParser::Read DirectParser::expressionList(bool mayStar) {
  auto item = [&] { return mayStar && isOperator("*") ? starredOrNamed() : expression(); };
  Read first = item();
  if (!isOperator(",")) {
    return first;
  }
  std::vector<const Expr *> items{first.expr};
  bool wrapped = first.wrapped;
  while (good_ && takeOperator(",")) {
    bool ends = token_.kind == Token::Kind::Newline || token_.kind == Token::Kind::End || isOperator("=") ||
                isOperator(";") || isOperator(":");
    if (ends) {
      break;
    }
    Read next = item();
    items.push_back(next.expr);
    wrapped |= next.wrapped;
  }
  Expr &made = newExpr(Expr::Kind::Tuple, first.begin, end_);
  made.children = std::move(items);
  return {&made, first.begin, end_, wrapped};
}

bool DirectParser::isTarget(const Read &part) const { return !part.wrapped && isPattern(*part.expr); }

DirectParser::Read DirectParser::target() {
  uint32_t begin = token_.begin;
  Read out;
  if (takeOperator("*")) {
    Read inner = primary();
    Expr &made = newExpr(Expr::Kind::Starred, begin, inner.end);
    made.children = {inner.expr};
    out = {&made, begin, inner.end, inner.wrapped};
  } else {
    out = primary();
  }
  return isTarget(out) ? out : fail();
}

DirectParser::Read DirectParser::targetList() {
  Read first = target();
  if (!isOperator(",")) {
    return first;
  }
  std::vector<const Expr *> items{first.expr};
  while (good_ && takeOperator(",")) {
    if (isKeyword("in")) {
      break;
    }
    items.push_back(target().expr);
  }
  Expr &made = newExpr(Expr::Kind::Tuple, first.begin, end_);
  made.children = std::move(items);
  return {&made, first.begin, end_, false};
}

DirectParser::Read DirectParser::lambda() {
  uint32_t begin = token_.begin;
  advance();
  std::vector<Parameter> declared;
  parameters(declared, ":", /*annotations=*/false);
  expectOperator(":");
  Read body = expression();
  Expr &made = newExpr(Expr::Kind::Other, begin, body.end);
  made.text = "a lambda";
  PythonExpr &python = newPython(made, PythonExpr::Kind::Lambda);
  python.parameters = std::move(declared);
  python.parts = {body.expr};
  return {&made, begin, body.end, false};
}

DirectParser::Read DirectParser::pair(Expr::Kind kind, std::string_view op, const Read &left, const Read &right) {
  Expr &made = newExpr(kind, left.begin, right.end);
  made.text = op;
  made.children = {left.expr, right.expr};
  return {&made, left.begin, right.end, false};
}

DirectParser::Read DirectParser::orTest() {
  Read left = andTest();
  while (good_ && isKeyword("or")) {
    std::string_view op = text(token_.begin, token_.end);
    advance();
    left = pair(Expr::Kind::Bool2, op, left, andTest());
  }
  return left;
}

DirectParser::Read DirectParser::andTest() {
  Read left = notTest();
  while (good_ && isKeyword("and")) {
    std::string_view op = text(token_.begin, token_.end);
    advance();
    left = pair(Expr::Kind::Bool2, op, left, notTest());
  }
  return left;
}

DirectParser::Read DirectParser::notTest() {
  if (!isKeyword("not")) {
    return comparison();
  }
  uint32_t begin = token_.begin;
  if (++depth_ > kMaxDirectDepth) {
    return fail();
  }
  advance();
  Read inner = notTest();
  --depth_;
  Expr &made = newExpr(Expr::Kind::Unary, begin, inner.end);
  made.text = "not";
  made.children = {inner.expr};
  return {&made, begin, inner.end, false};
}

DirectParser::Read DirectParser::comparison() {
  Read first = binary(0);
  std::vector<const Expr *> operands{first.expr};
  std::vector<std::string_view> operators;
  uint32_t end = first.end;
  while (good_) {
    uint32_t begin = token_.begin;
    bool plain = isOperator("<") || isOperator("<=") || isOperator("==") || isOperator("!=") || isOperator(">") ||
                 isOperator(">=") || isKeyword("in");
    if (plain) {
      advance();
    } else if (takeKeyword("is")) {
      takeKeyword("not");
    } else if (takeKeyword("not")) {
      expectKeyword("in");
    } else {
      break;
    }
    operators.push_back(text(begin, end_));
    Read next = binary(0);
    operands.push_back(next.expr);
    end = next.end;
  }
  if (operators.empty()) {
    return first;
  }
  Expr &made = newExpr(Expr::Kind::Compare, first.begin, end);
  made.children = std::move(operands);
  made.operators = std::move(operators);
  return {&made, first.begin, end, false};
}

DirectParser::Read DirectParser::binary(unsigned level) {
  if (level >= kLevels.size()) {
    return unary();
  }
  Read left = binary(level + 1);
  const auto &operators = kLevels[level];
  while (good_ && token_.kind == Token::Kind::Operator &&
         std::find(operators.begin(), operators.end(), token_.code) != operators.end()) {
    std::string_view op = text(token_.begin, token_.end);
    advance();
    left = pair(Expr::Kind::Binary, op, left, binary(level + 1));
  }
  return left;
}

DirectParser::Read DirectParser::unary() {
  bool sign = isOperator("-") || isOperator("+") || isOperator("~");
  if (!sign) {
    Read base = primary();
    if (!isOperator("**")) {
      return base;
    }
    std::string_view op = text(token_.begin, token_.end);
    if (++depth_ > kMaxDirectDepth) {
      return fail();
    }
    advance();
    Read out = pair(Expr::Kind::Binary, op, base, unary());
    --depth_;
    return out;
  }
  uint32_t begin = token_.begin;
  std::string_view op = text(token_.begin, token_.end);
  if (++depth_ > kMaxDirectDepth) {
    return fail();
  }
  advance();
  Read inner = unary();
  --depth_;
  Expr &made = newExpr(Expr::Kind::Unary, begin, inner.end);
  made.text = op;
  made.children = {inner.expr};
  return {&made, begin, inner.end, false};
}

DirectParser::Read DirectParser::primary() {
  Read out = atom();
  unsigned links = 0;
  while (good_) {
    if (isOperator(".")) {
      advance();
      if (token_.kind != Token::Kind::Name) {
        return fail();
      }
      Expr &made = newExpr(Expr::Kind::Attribute, out.begin, token_.end);
      made.children = {out.expr};
      made.text = text(token_.begin, token_.end);
      made.nameRange = {token_.begin, token_.end};
      advance();
      out = {&made, out.begin, end_, false};
    } else if (isOperator("(")) {
      out = call(out);
    } else if (isOperator("[")) {
      out = subscript(out);
    } else {
      break;
    }
    if (++links > kMaxDirectDepth) {
      return fail(); // as deep in the tree as it is long here
    }
  }
  return out;
}

DirectParser::Read DirectParser::atom() {
  uint32_t begin = token_.begin;
  uint32_t end = token_.end;
  auto plain = [&](Expr::Kind kind, bool spelled) -> Read {
    Expr &made = newExpr(kind, begin, end);
    made.text = spelled ? text(begin, end) : std::string_view();
    advance();
    return {&made, begin, end, false};
  };
  switch (token_.kind) {
  case Token::Kind::Name:
    return plain(Expr::Kind::Name, true);
  case Token::Kind::Int:
    return plain(Expr::Kind::Int, true);
  case Token::Kind::Float:
    return plain(Expr::Kind::Float, true);
  case Token::Kind::String:
    return strings();
  case Token::Kind::Keyword:
    if (isKeyword("True") || isKeyword("False")) {
      return plain(Expr::Kind::Bool, true);
    }
    return isKeyword("None") ? plain(Expr::Kind::None, false) : fail();
  case Token::Kind::Operator:
    break;
  default:
    return fail();
  }
  if (isOperator("(")) {
    return parenthesized();
  }
  if (isOperator("[")) {
    return list();
  }
  if (isOperator("{")) {
    return braced();
  }
  if (isOperator("...")) {
    Expr &made = newExpr(Expr::Kind::Other, begin, end);
    made.text = "`...`";
    newPython(made, PythonExpr::Kind::Ellipsis);
    advance();
    return {&made, begin, end, false};
  }
  return fail();
}

DirectParser::Read DirectParser::parenthesized() {
  uint32_t begin = token_.begin;
  advance();
  std::vector<const Expr *> items;
  bool wrapped = false;
  bool comma = false;
  while (good_ && !isOperator(")")) {
    Read item = starredOrNamed();
    wrapped |= item.wrapped;
    if (items.empty() && isKeyword("for")) {
      Expr &made = newExpr(Expr::Kind::Other, begin, begin);
      made.text = "a generator expression";
      PythonExpr &python = newPython(made, PythonExpr::Kind::Generator);
      python.parts = {item.expr};
      comprehension(python);
      expectOperator(")");
      made.range.end = end_;
      return item.expr->kind == Expr::Kind::Starred ? fail() : Read{&made, begin, end_, false};
    }
    items.push_back(item.expr);
    if (!isOperator(")")) {
      expectOperator(",");
      comma = true;
    }
  }
  expectOperator(")");
  if (items.size() == 1 && !comma) {
    return items[0]->kind == Expr::Kind::Starred ? fail() : Read{items[0], begin, end_, true};
  }
  Expr &made = newExpr(Expr::Kind::Tuple, begin, end_);
  made.children = std::move(items);
  return {&made, begin, end_, wrapped};
}

DirectParser::Read DirectParser::list() {
  uint32_t begin = token_.begin;
  advance();
  std::vector<const Expr *> items;
  bool wrapped = false;
  while (good_ && !isOperator("]")) {
    Read item = starredOrNamed();
    wrapped |= item.wrapped;
    if (items.empty() && isKeyword("for")) {
      Expr &made = newExpr(Expr::Kind::Other, begin, begin);
      made.text = "a comprehension";
      PythonExpr &python = newPython(made, PythonExpr::Kind::ListComprehension);
      python.parts = {item.expr};
      comprehension(python);
      expectOperator("]");
      made.range.end = end_;
      return item.expr->kind == Expr::Kind::Starred ? fail() : Read{&made, begin, end_, false};
    }
    items.push_back(item.expr);
    if (!isOperator("]")) {
      expectOperator(",");
    }
  }
  expectOperator("]");
  Expr &made = newExpr(Expr::Kind::List, begin, end_);
  made.children = std::move(items);
  return {&made, begin, end_, wrapped};
}

/// A dict, a set, or a comprehension of one.
DirectParser::Read DirectParser::braced() {
  uint32_t begin = token_.begin;
  advance();
  std::vector<const Expr *> parts;
  bool dict = isOperator("}") || isOperator("**");
  bool first = true;
  auto comprehended = [&](PythonExpr::Kind kind) -> Read {
    Expr &made = newExpr(Expr::Kind::Other, begin, begin);
    made.text = "a comprehension";
    PythonExpr &python = newPython(made, kind);
    python.parts = parts;
    comprehension(python);
    expectOperator("}");
    made.range.end = end_;
    return {&made, begin, end_, false};
  };
  while (good_ && !isOperator("}")) {
    if (dict && takeOperator("**")) {
      parts.push_back(nullptr);
      parts.push_back(expression().expr);
    } else {
      Read key = first && !isOperator("*") ? expression() : dict ? expression() : starredOrNamed();
      dict |= first && isOperator(":");
      if (dict && key.expr->kind == Expr::Kind::Starred) {
        return fail();
      }
      parts.push_back(key.expr);
      if (dict) {
        expectOperator(":");
        parts.push_back(expression().expr);
      }
      if (first && isKeyword("for")) {
        return key.expr->kind == Expr::Kind::Starred
                   ? fail()
                   : comprehended(dict ? PythonExpr::Kind::DictComprehension : PythonExpr::Kind::SetComprehension);
      }
    }
    first = false;
    if (!isOperator("}")) {
      expectOperator(",");
    }
  }
  expectOperator("}");
  Expr &made = newExpr(Expr::Kind::Other, begin, end_);
  made.text = dict ? std::string_view("a dict") : std::string_view("a set");
  newPython(made, dict ? PythonExpr::Kind::Dict : PythonExpr::Kind::Set).parts = std::move(parts);
  return {&made, begin, end_, false};
}

void DirectParser::comprehension(PythonExpr &out) {
  std::vector<ComprehensionClause> clauses;
  while (good_ && (isKeyword("for") || isKeyword("if"))) {
    if (takeKeyword("for")) {
      ComprehensionClause clause;
      clause.target = targetList().expr;
      expectKeyword("in");
      clause.iterable = orTest().expr;
      clauses.push_back(std::move(clause));
    } else {
      advance();
      clauses.back().conditions.push_back(orTest().expr);
    }
  }
  out.clauses = std::move(clauses);
}

DirectParser::Read DirectParser::call(Read callee) {
  uint32_t open = token_.begin;
  advance();
  std::vector<const Expr *> children{callee.expr};
  std::vector<Keyword> keywords;
  while (good_ && !isOperator(")")) {
    uint32_t begin = token_.begin;
    if (takeOperator("**")) {
      Read mapping = expression();
      Expr &made = newExpr(Expr::Kind::Other, begin, mapping.end);
      made.text = "`**`";
      newPython(made, PythonExpr::Kind::Splat).parts = {mapping.expr};
      keywords.push_back({"", {begin, mapping.end}, &made});
    } else {
      Read argument = starredOrNamed();
      if (isKeyword("for") && children.size() == 1 && keywords.empty()) {
        Expr &made = newExpr(Expr::Kind::Other, open, open);
        made.text = "a generator expression";
        PythonExpr &python = newPython(made, PythonExpr::Kind::Generator);
        python.parts = {argument.expr};
        comprehension(python);
        if (!isOperator(")") || argument.expr->kind == Expr::Kind::Starred) {
          return fail();
        }
        made.range.end = token_.end;
        children.push_back(&made);
        break;
      }
      if (isOperator("=")) {
        if (argument.expr->kind != Expr::Kind::Name || argument.wrapped) {
          return fail();
        }
        advance();
        keywords.push_back({argument.expr->text, argument.expr->range, expression().expr});
      } else {
        children.push_back(argument.expr);
      }
    }
    if (!isOperator(")")) {
      expectOperator(",");
    }
  }
  expectOperator(")");
  Expr &made = newExpr(Expr::Kind::Call, callee.begin, end_);
  made.children = std::move(children);
  made.keywords = std::move(keywords);
  return {&made, callee.begin, end_, false};
}

DirectParser::Read DirectParser::subscript(Read base) {
  advance();
  std::vector<const Expr *> children{base.expr};
  do {
    if (isOperator("]") && children.size() > 1) {
      break;
    }
    children.push_back(subscriptItem());
  } while (good_ && takeOperator(","));
  expectOperator("]");
  // `x[(a, b)]` and `x[a, b]` are the same subscript; `x[(a,)]` is not `x[a]`.
  if (children.size() == 2 && children[1]->kind == Expr::Kind::Tuple && children[1]->children.size() > 1) {
    std::vector<const Expr *> items = children[1]->children;
    children.resize(1);
    children.insert(children.end(), items.begin(), items.end());
  }
  Expr &made = newExpr(Expr::Kind::Subscript, base.begin, end_);
  made.children = std::move(children);
  return {&made, base.begin, end_, false};
}

const Expr *DirectParser::subscriptItem() {
  uint32_t begin = token_.begin;
  const Expr *lower = isOperator(":") ? nullptr : expression().expr;
  if (!isOperator(":")) {
    return lower;
  }
  std::vector<const Expr *> parts{lower, nullptr, nullptr};
  for (size_t part = 1; part < 3 && good_ && takeOperator(":"); ++part) {
    bool absent = isOperator(":") || isOperator(",") || isOperator("]");
    parts[part] = absent ? nullptr : expression().expr;
  }
  Expr &made = newExpr(Expr::Kind::Slice, begin, end_);
  made.children = std::move(parts);
  return &made;
}

} // namespace placid::syntax
