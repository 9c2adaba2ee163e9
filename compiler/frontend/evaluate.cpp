// SPDX-License-Identifier: Apache-2.0
// The static value of a Python expression. Total: what it does not know becomes Unknown with the reason. Every
// sub-expression is evaluated once, and a budget bounds what values are made of.
#include "compiler/frontend/evaluate.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <span>

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

class Evaluator {
public:
  Evaluator(const Scope &scope, EvalBudget &budget) : scope_(scope), budget_(budget) {}
  ConstValue evaluate(const Expr &expr);

private:
  ConstValue attribute(const Expr &expr);
  ConstValue call(const Expr &expr);
  ConstValue subscript(const Expr &expr);
  ConstValue sequence(const Expr &expr);
  ConstValue binary(const Expr &expr);
  ConstValue compare(const Expr &expr);
  ConstValue name(const Expr &expr);

  const Scope &scope_;
  EvalBudget &budget_;
};

ConstValue Evaluator::name(const Expr &expr) {
  const Binding *found = scope_.find(expr.text);
  if (!found) {
    return ConstValue::unknown("`" + std::string(expr.text) + "` is not defined here");
  }
  return budget_.spend(found->value.text.size() / 64) ? found->value : tooMuch();
}

ConstValue Evaluator::attribute(const Expr &expr) {
  ConstValue base = evaluate(*expr.children[0]);
  std::string name(expr.text);
  if (base.kind == Kind::PlPath) {
    size_t dot = base.text.find('.');
    std::string prefix = base.text.substr(0, dot);
    std::string inner = dot == std::string::npos ? name : base.text.substr(dot + 1) + "." + name;
    return plName(prefix, inner);
  }
  if (base.kind == Kind::Foreign) {
    std::string path = base.text + "." + name;
    std::string_view dialect = dialectPrefix(path); // `import pypto.language` without `as`
    return dialect.empty() ? ConstValue::ofText(Kind::Foreign, std::move(path))
                           : ConstValue::make(Kind::PlPath, std::string(dialect));
  }
  return base.isUnknown() ? base : ConstValue::unknown("attribute `" + name + "` of " + show(base));
}

ConstValue callMinMax(std::string_view name, const std::vector<ConstValue> &given) {
  bool one = given.size() == 1 && given[0].kind == Kind::Sequence;
  std::span<const ConstValue> items(given);
  if (one) {
    const ConstItems &inner = given[0].items;
    items = std::span<const ConstValue>(inner.begin(), inner.size());
  }
  if (items.empty() || !std::all_of(items.begin(), items.end(), [](const ConstValue &v) { return v.isInt(); })) {
    return ConstValue::unknown("a call of `" + std::string(name) + "`");
  }
  auto less = [](const ConstValue &a, const ConstValue &b) { return a.integer < b.integer; };
  return name == "min" ? *std::min_element(items.begin(), items.end(), less)
                       : *std::max_element(items.begin(), items.end(), less);
}

ConstValue Evaluator::call(const Expr &expr) {
  const Expr &callee = *expr.children[0];
  std::vector<ConstValue> given;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    given.push_back(evaluate(*expr.children[i]));
  }
  if (callee.kind == Expr::Kind::Name && expr.keywords.empty() && !scope_.find(callee.text)) {
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
  ConstValue function = evaluate(callee);
  if (function.isPath("pl.dynamic") && given.size() == 1 && given[0].kind == Kind::Str) {
    return ConstValue::ofText(Kind::DynDim, given[0].text);
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

ConstValue Evaluator::subscript(const Expr &expr) {
  ConstValue base = evaluate(*expr.children[0]);
  if (base.kind == Kind::PlPath) {
    ConstValue out = ConstValue::make(Kind::Type);
    out.expr = &expr; // `pl.Tensor[…]`: a type held by a name
    return out;
  }
  if (base.kind == Kind::Sequence && expr.children.size() == 2) {
    ConstValue index = evaluate(*expr.children[1]);
    auto size = static_cast<int64_t>(base.items.size());
    if (index.isInt() && index.integer >= -size && index.integer < size) {
      return base.items[static_cast<size_t>(floorMod(index.integer, size))];
    }
  }
  return base.isUnknown() ? base : ConstValue::unknown("this subscript");
}

ConstValue Evaluator::sequence(const Expr &expr) {
  if (expr.children.size() > kMaxSequenceWeight || !budget_.spend(expr.children.size())) {
    return tooMuch();
  }
  std::vector<ConstValue> items;
  items.reserve(expr.children.size());
  for (const Expr *item : expr.children) {
    if (item->kind == Expr::Kind::Starred) {
      return ConstValue::unknown("an unpacked sequence"); // its length is not that of the list
    }
    items.push_back(evaluate(*item));
  }
  return ConstValue::ofSequence(std::move(items));
}

ConstValue Evaluator::binary(const Expr &expr) {
  ConstValue left = evaluate(*expr.children[0]);
  return foldBinary(expr.text, left, evaluate(*expr.children[1]), budget_);
}

ConstValue Evaluator::compare(const Expr &expr) {
  ConstValue out = ConstValue::ofBool(true);
  ConstValue left = evaluate(*expr.children[0]);
  for (size_t i = 0; i + 1 < expr.children.size() && i < expr.operators.size(); ++i) {
    ConstValue right = evaluate(*expr.children[i + 1]);
    out = foldCompare(expr.operators[i], left, right);
    if (out.isUnknown() || !out.truthy()) {
      return out;
    }
    left = std::move(right);
  }
  return out;
}

ConstValue Evaluator::evaluate(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Int:
    return parseInt(expr.text);
  case Expr::Kind::Float:
    return parseFloat(expr.text);
  case Expr::Kind::String:
    return expr.text.size() <= kMaxTextBytes && budget_.spend(expr.text.size() / 64)
               ? ConstValue::make(Kind::Str, std::string(expr.text))
               : tooMuch();
  case Expr::Kind::Bool:
    return ConstValue::ofBool(expr.text == "True");
  case Expr::Kind::None:
    return ConstValue::make(Kind::None);
  case Expr::Kind::Name:
    return name(expr);
  case Expr::Kind::Attribute:
    return attribute(expr);
  case Expr::Kind::Call:
    return call(expr);
  case Expr::Kind::Subscript:
    return subscript(expr);
  case Expr::Kind::List:
  case Expr::Kind::Tuple:
    return sequence(expr);
  case Expr::Kind::Binary:
    return binary(expr);
  case Expr::Kind::Unary:
    return foldUnary(expr.text, evaluate(*expr.children[0]));
  case Expr::Kind::Bool2: {
    ConstValue left = evaluate(*expr.children[0]);
    if (left.isUnknown() || left.truthy() == (expr.text == "or")) {
      return left;
    }
    return evaluate(*expr.children[1]);
  }
  case Expr::Kind::Compare:
    return compare(expr);
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

} // namespace

ConstValue tooMuch() { return ConstValue::unknown("there is too much to compute before it"); }

ConstValue foldBinary(std::string_view op, const ConstValue &a, const ConstValue &b, EvalBudget &budget) {
  size_t made = a.items.weight() + b.items.weight() + (a.text.size() + b.text.size()) / 64;
  return budget.spend(made) ? foldBinary(op, a, b) : tooMuch();
}

ConstValue evaluate(const Expr &expr, const Scope &scope, EvalBudget &budget) {
  return Evaluator(scope, budget).evaluate(expr);
}

ConstValue evaluate(const Expr &expr, const Scope &scope) {
  EvalBudget budget(kExpressionBudget);
  return evaluate(expr, scope, budget);
}

} // namespace placid::frontend
