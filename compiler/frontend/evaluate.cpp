// SPDX-License-Identifier: Apache-2.0
// The static value of a Python expression. Total: what it does not know becomes Unknown with the reason.
#include "compiler/frontend/program.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace placid::frontend {

namespace {

using syntax::Expr;
using Kind = ConstValue::Kind;

ConstValue parseInt(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
  int base = 10;
  size_t skip = 0;
  if (digits.size() > 2 && digits[0] == '0') {
    char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    skip = base == 10 ? 0 : 2;
  }
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data() + skip, digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return ConstValue::unknown("the integer does not fit 64 bits");
  }
  return ConstValue::ofInt(value);
}

ConstValue parseFloat(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
  char *end = nullptr;
  double value = std::strtod(digits.c_str(), &end);
  return *end == '\0' ? ConstValue::ofFloat(value) : ConstValue::unknown("a complex number");
}

ConstValue attribute(const Expr &expr, const Scope &scope) {
  ConstValue base = evaluate(*expr.children[0], scope);
  std::string name(expr.text);
  if (base.kind == Kind::PlPath) {
    size_t dot = base.text.find('.');
    std::string prefix = base.text.substr(0, dot);
    std::string inner = dot == std::string::npos ? name : base.text.substr(dot + 1) + "." + name;
    return plName(prefix, inner);
  }
  if (base.kind == Kind::Foreign) {
    return ConstValue::make(Kind::Foreign, base.text + "." + name);
  }
  return base.isUnknown() ? base : ConstValue::unknown("attribute `" + name + "` of " + show(base));
}

ConstValue callMinMax(std::string_view name, const std::vector<ConstValue> &given) {
  const std::vector<ConstValue> &items = given.size() == 1 && given[0].kind == Kind::Sequence ? given[0].items : given;
  if (items.empty() || !std::all_of(items.begin(), items.end(), [](const ConstValue &v) { return v.isInt(); })) {
    return ConstValue::unknown("a call of `" + std::string(name) + "`");
  }
  auto less = [](const ConstValue &a, const ConstValue &b) { return a.integer < b.integer; };
  return name == "min" ? *std::min_element(items.begin(), items.end(), less)
                       : *std::max_element(items.begin(), items.end(), less);
}

ConstValue call(const Expr &expr, const Scope &scope) {
  const Expr &callee = *expr.children[0];
  std::vector<ConstValue> given;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    given.push_back(evaluate(*expr.children[i], scope));
  }
  if (callee.kind == Expr::Kind::Name && !scope.find(callee.text)) {
    std::string_view name = callee.text;
    if (name == "min" || name == "max") {
      return callMinMax(name, given);
    }
    if (name == "len" && given.size() == 1 && given[0].kind == Kind::Sequence) {
      return ConstValue::ofInt(static_cast<int64_t>(given[0].items.size()));
    }
    if (name == "int" && given.size() == 1 && (given[0].isInt() || given[0].isBool())) {
      return ConstValue::ofInt(given[0].integer);
    }
    if (name == "abs" && given.size() == 1 && given[0].isInt()) {
      return given[0].integer < 0 ? foldUnary("-", given[0]) : given[0];
    }
  }
  ConstValue function = evaluate(callee, scope);
  if (function.isPath("pl.dynamic") && given.size() == 1 && given[0].kind == Kind::Str) {
    return ConstValue::make(Kind::DynDim, given[0].text);
  }
  if (function.isPath("pl.TensorView") || function.isPath("pl.TileView") || function.isPath("pl.MemRef")) {
    ConstValue out = ConstValue::make(Kind::Type);
    out.expr = &expr;
    return out;
  }
  if (function.isUnknown()) {
    return function;
  }
  return ConstValue::unknown("a call of `" + syntax::spell(callee) + "`");
}

ConstValue subscript(const Expr &expr, const Scope &scope) {
  ConstValue base = evaluate(*expr.children[0], scope);
  if (base.kind == Kind::PlPath) {
    ConstValue out = ConstValue::make(Kind::Type);
    out.expr = &expr; // `pl.Tensor[…]`: a type held by a name
    return out;
  }
  if (base.kind == Kind::Sequence && expr.children.size() == 2) {
    ConstValue index = evaluate(*expr.children[1], scope);
    auto size = static_cast<int64_t>(base.items.size());
    if (index.isInt() && index.integer >= -size && index.integer < size) {
      return base.items[static_cast<size_t>(floorMod(index.integer, size))];
    }
  }
  return base.isUnknown() ? base : ConstValue::unknown("this subscript");
}

} // namespace

ConstValue evaluate(const Expr &expr, const Scope &scope) {
  switch (expr.kind) {
  case Expr::Kind::Int:
    return parseInt(expr.text);
  case Expr::Kind::Float:
    return parseFloat(expr.text);
  case Expr::Kind::String:
    return ConstValue::make(Kind::Str, std::string(expr.text));
  case Expr::Kind::Bool:
    return ConstValue::ofBool(expr.text == "True");
  case Expr::Kind::None:
    return ConstValue::make(Kind::None);
  case Expr::Kind::Name: {
    const Binding *found = scope.find(expr.text);
    return found ? found->value : ConstValue::unknown("`" + std::string(expr.text) + "` is not defined here");
  }
  case Expr::Kind::Attribute:
    return attribute(expr, scope);
  case Expr::Kind::Call:
    return call(expr, scope);
  case Expr::Kind::Subscript:
    return subscript(expr, scope);
  case Expr::Kind::List:
  case Expr::Kind::Tuple: {
    ConstValue out = ConstValue::make(Kind::Sequence);
    for (const Expr *item : expr.children) {
      out.items.push_back(evaluate(*item, scope));
    }
    return out;
  }
  case Expr::Kind::Binary:
    return foldBinary(expr.text, evaluate(*expr.children[0], scope), evaluate(*expr.children[1], scope));
  case Expr::Kind::Unary:
    return foldUnary(expr.text, evaluate(*expr.children[0], scope));
  case Expr::Kind::Bool2: {
    ConstValue left = evaluate(*expr.children[0], scope);
    if (left.isUnknown() || left.truthy() == (expr.text == "or")) {
      return left;
    }
    return evaluate(*expr.children[1], scope);
  }
  case Expr::Kind::Compare: {
    ConstValue out = ConstValue::ofBool(true);
    for (size_t i = 0; i + 1 < expr.children.size() && i < expr.operators.size(); ++i) {
      out = foldCompare(expr.operators[i], evaluate(*expr.children[i], scope), evaluate(*expr.children[i + 1], scope));
      if (out.isUnknown() || !out.truthy()) {
        return out;
      }
    }
    return out;
  }
  case Expr::Kind::Slice:
  case Expr::Kind::Starred:
    return ConstValue::unknown("this expression");
  case Expr::Kind::Other:
    return ConstValue::unknown(std::string(expr.text));
  case Expr::Kind::Error:
    return ConstValue::unknown("a syntax error");
  }
  return ConstValue::unknown("this expression");
}

} // namespace placid::frontend
