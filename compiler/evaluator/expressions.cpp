// SPDX-License-Identifier: Apache-2.0
// Expressions that PL has too: names, calls, subscripts, sequences.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace placid::py {

using syntax::Expr;
using syntax::PythonExpr;

namespace {

std::string withoutUnderscores(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

} // namespace

std::string Interpreter::spell(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Other) {
    return std::string(expr.text);
  }
  std::string out = syntax::spell(expr);
  constexpr size_t kMax = 80;
  return out.size() > kMax ? out.substr(0, kMax) + "…" : out;
}

Value Interpreter::evaluate(const Expr &expr, Env *env) {
  Frame frame;
  frame.env = env;
  Frame *outer = frame_;
  frame_ = &frame;
  // A kernel's own small expressions are always affordable; what they compute beyond that is bounded together.
  constexpr uint64_t kSmall = 256;
  constexpr size_t kSmallBytes = size_t{64} << 10;
  const uint64_t allowed = std::min(limits_.expression, laterSteps_ + kSmall);
  const size_t bytesBefore = heap_.used();
  beginUnit(allowed);
  stepsLeft_ = allowed;
  heap_.setBudget(bytesBefore + std::min<size_t>(laterBytes_ / 4 + kSmallBytes, size_t{4} << 20));
  exhausted_ = false;
  refusal_.clear();
  ++uncertain_;
  const uint64_t outerMark = std::exchange(laterMark_, std::min(laterMark_, heap_.serial()));
  journals_.emplace_back();
  Value out = eval(expr, frame);
  for (const Change &change : journals_.back().changes) {
    laterUse_.changes += change.before ? 1 : 0;
  }
  journals_.pop_back();
  if (spent()) {
    loseChanged();
  }
  laterMark_ = outerMark;
  --uncertain_;
  uint64_t steps = allowed - std::min(stepsLeft_, allowed);
  size_t bytes = heap_.used() - bytesBefore;
  useLater(steps > kSmall ? steps : 0, bytes > kSmallBytes ? bytes : 0);
  if (out.isRaised()) {
    refusal_ = exceptionText();
    out = unknown(refusal_, &expr);
  }
  frame_ = outer;
  return out;
}

void Interpreter::useLater(uint64_t steps, size_t bytes) {
  laterUse_.steps += steps;
  laterUse_.bytes += bytes;
  laterSteps_ -= std::min(laterSteps_, steps);
  laterBytes_ -= std::min(laterBytes_, bytes);
}

Value Interpreter::eval(const Expr &expr, Frame &frame) {
  if (!spend(1)) {
    return tooMuch();
  }
  Deeper deeper(*this);
  Value out = deeper ? evalInner(expr, frame) : unknown("the code is nested too deep", &expr);
  if (out.isRaised() && exceptionAt_.range.end == 0) {
    exceptionAt_ = {currentTree(), expr.range}; // the innermost expression around what raised without a place
  }
  return out;
}

Value Interpreter::evalInner(const Expr &expr, Frame &frame) {
  switch (expr.kind) {
  case Expr::Kind::Int: {
    std::string digits = withoutUnderscores(expr.text);
    unsigned base = 10;
    if (digits.size() > 2 && digits[0] == '0') {
      char mark = static_cast<char>(digits[1] | 0x20);
      base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    }
    if (digits.size() > 64 && !spend(digits.size() * digits.size() / 4096)) {
      return tooMuch();
    }
    std::optional<BigInt> value = BigInt::parse(std::string_view(digits).substr(base == 10 ? 0 : 2), base);
    return value ? heap_.integer(*value) : unknown("the integer `" + digits.substr(0, 24) + "` is not followed", &expr);
  }
  case Expr::Kind::Float: {
    std::string digits = withoutUnderscores(expr.text);
    if (!spendText(digits.size())) {
      return tooMuch();
    }
    char *end = nullptr;
    double value = std::strtod(digits.c_str(), &end);
    return *end == '\0' ? Value::ofFloat(value) : unknown("a complex number", &expr);
  }
  case Expr::Kind::String:
    return text(std::string(expr.text));
  case Expr::Kind::Bool:
    return Value::ofBool(expr.text == "True");
  case Expr::Kind::None:
    return Value::none();
  case Expr::Kind::Name:
    return name(expr, frame);
  case Expr::Kind::Attribute: {
    Value base = eval(*expr.children[0], frame);
    return base.isLost() ? base : attribute(base, expr.text, &expr);
  }
  case Expr::Kind::Call:
    return callExpr(expr, frame);
  case Expr::Kind::Subscript:
    return subscriptExpr(expr, frame);
  case Expr::Kind::List:
  case Expr::Kind::Tuple:
    return sequence(expr, frame);
  case Expr::Kind::Binary: {
    Value left = eval(*expr.children[0], frame);
    if (left.isRaised()) {
      return left;
    }
    Value right = eval(*expr.children[1], frame);
    return right.isRaised() ? right : binary(expr.text, left, right, &expr);
  }
  case Expr::Kind::Unary: {
    Value operand = eval(*expr.children[0], frame);
    return operand.isRaised() ? operand : unary(expr.text, operand, &expr);
  }
  case Expr::Kind::Bool2: {
    Value left = eval(*expr.children[0], frame);
    Value truthy = left.isRaised() ? left : truth(left);
    if (truthy.isLost()) {
      return truthy;
    }
    return (truthy.integer != 0) == (expr.text == "or") ? left : eval(*expr.children[1], frame);
  }
  case Expr::Kind::Compare:
    return compareExpr(expr, frame);
  case Expr::Kind::Slice:
    return indexOf(expr, frame);
  case Expr::Kind::Other:
    return python(expr, frame);
  case Expr::Kind::Starred:
    return unknown("an unpacked sequence", &expr);
  case Expr::Kind::Error:
    return unknown("a syntax error", &expr);
  }
  return unknown("this expression", &expr);
}

const Slot *Interpreter::lookup(std::string_view name, Env *env, Value &openReason) {
  bool open = false;
  for (Env *at = env; at; at = at->parent) {
    if (at != env && at->type == Env::Type::Class) {
      continue; // a class's names are not its methods'
    }
    if (at->type == Env::Type::Function && at->facts && at->facts->globals.contains(name)) {
      at = at->module->env;
    }
    if (const Slot *found = at->names.find(name)) {
      return found;
    }
    if (at->type == Env::Type::Function && at->facts && at->facts->locals.contains(name)) {
      openReason = unknown("a local name that is not bound yet"); // no name around is meant
      return nullptr;
    }
    if (!open && at->open) {
      open = true;
      openReason = at->others;
    }
  }
  const Slot *builtin = builtins_->names.find(name);
  if (builtin) {
    openReason = Value::raised();
  }
  return builtin;
}

Value Interpreter::name(const Expr &expr, Frame &frame) {
  Value open = Value::raised();
  const Slot *found = lookup(expr.text, frame.env, open);
  if (found) {
    Value value = fetch(found->value);
    mayRaise_ = mayRaise_ || value.isUnknown();
    return value;
  }
  if (open.isUnknown()) {
    return open;
  }
  std::string message = "name '" + std::string(expr.text) + "' is not defined";
  if (tries_ > 0) {
    return raise("NameError", message, &expr);
  }
  // Python would end here; what stands around the name is still worth reading.
  fault(Fault::Type::Raises, expr.range, "NameError: " + message, "");
  return unknown("`" + std::string(expr.text) + "` is not defined", &expr);
}

Value Interpreter::sequence(const Expr &expr, Frame &frame) {
  std::vector<Value> items;
  items.reserve(expr.children.size());
  for (const Expr *child : expr.children) {
    if (child->kind == Expr::Kind::Starred && !child->children.empty()) {
      Value inner = eval(*child->children[0], frame);
      Value seen = inner.isLost() ? inner : iterate(inner, items, child);
      if (!seen.isNone()) {
        return seen;
      }
      continue;
    }
    Value item = eval(*child, frame);
    if (item.isRaised()) {
      return item;
    }
    items.push_back(item);
  }
  return heap_.sequence(std::move(items), expr.kind == Expr::Kind::List ? Kind::List : Kind::Tuple);
}

Value Interpreter::compareExpr(const Expr &expr, Frame &frame) {
  Value left = eval(*expr.children[0], frame);
  if (left.isRaised()) {
    return left;
  }
  Value out = Value::ofBool(true);
  for (size_t i = 0; i + 1 < expr.children.size() && i < expr.operators.size(); ++i) {
    Value right = eval(*expr.children[i + 1], frame);
    if (right.isRaised()) {
      return right;
    }
    out = compare(expr.operators[i], left, right, &expr);
    if (out.isLost() || i + 2 == expr.children.size()) {
      return out;
    }
    Value truthy = truth(out);
    if (truthy.isLost() || !truthy.integer) {
      return truthy.isLost() ? truthy : out;
    }
    left = right;
  }
  return out;
}

Value Interpreter::indexOf(const Expr &expr, Frame &frame) {
  if (expr.kind == Expr::Kind::Slice) {
    std::vector<Value> bounds;
    for (const Expr *part : expr.children) {
      bounds.push_back(part ? eval(*part, frame) : Value::none());
      if (bounds.back().isRaised()) {
        return bounds.back();
      }
    }
    bounds.resize(3, Value::none());
    return heap_.sequence(std::move(bounds), Kind::Slice);
  }
  if (expr.children.size() == 2) {
    return eval(*expr.children[1], frame);
  }
  std::vector<Value> items;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    items.push_back(eval(*expr.children[i], frame));
    if (items.back().isRaised()) {
      return items.back();
    }
  }
  return tuple(std::move(items));
}

Value Interpreter::subscriptExpr(const Expr &expr, Frame &frame) {
  Value base = eval(*expr.children[0], frame);
  if (base.isLost()) {
    return base;
  }
  if (base.is(Kind::Pl)) {
    auto *type = heap_.make<TypeObject>();
    type->expr = &expr;
    type->env = frame.env;
    return Value::make(Kind::PlType, type);
  }
  bool members = base.is(Kind::Class) && base.as<ClassObject>().isEnum;
  if (base.is(Kind::Class) && !members && base.as<ClassObject>().opaque) {
    return unknown("a subscript of a class whose metaclass or bases are not followed", &expr);
  }
  if (base.is(Kind::Class) && !members) {
    const Slot *own = classAttribute(&base.as<ClassObject>(), "__class_getitem__");
    if (own && (own->value.is(Kind::Function) || own->value.is(Kind::Wrapped))) {
      Value function = attribute(base, "__class_getitem__", &expr);
      Value index = function.isLost() ? function : indexOf(expr, frame);
      if (function.isLost() || index.isRaised()) {
        return index;
      }
      Arguments arguments;
      arguments.positional = {index};
      arguments.at = &expr;
      return call(function, arguments);
    }
  }
  if ((base.is(Kind::Class) && !members) || base.is(Kind::Foreign) || base.is(Kind::Builtin)) {
    return base; // `list[int]`: a type is itself, whatever it is asked to hold
  }
  Value index = indexOf(expr, frame);
  return index.isRaised() ? index : subscript(base, index, &expr);
}

/// `super().name`
Value Interpreter::superMember(const Expr &callee, Frame &frame) {
  ClassObject *owner = nullptr;
  for (Env *at = frame.env; at && !owner; at = at->parent) {
    const Slot *found = at->type == Env::Type::Class ? at->names.find("__class__") : nullptr;
    owner = found ? &found->value.as<ClassObject>() : nullptr;
  }
  ClassObject *type = frame.self.is(Kind::Instance) ? frame.self.as<InstanceObject>().type
                      : frame.self.is(Kind::Class)  ? &frame.self.as<ClassObject>()
                                                    : nullptr;
  if (!owner || !type) {
    return unknown("`super()`", &callee);
  }
  auto at = std::find(type->order.begin(), type->order.end(), owner);
  for (at = at == type->order.end() ? at : at + 1; at != type->order.end(); ++at) {
    if (const Slot *found = (*at)->env ? (*at)->env->names.find(callee.text) : nullptr) {
      return bindMember(found->value, frame.self, type);
    }
  }
  if (type->isException && callee.text == "__init__") {
    return builtin(
        callee.text,
        [](Interpreter &, Value self, Arguments &arguments) {
          self.as<InstanceObject>().items = arguments.positional;
          return Value::none();
        },
        frame.self.is(Kind::Instance) ? frame.self : Value::make(Kind::Instance, heap_.make<InstanceObject>()));
  }
  if (!type->open && !type->frozen && callee.text == "__setattr__" && frame.self.is(Kind::Instance)) {
    const Slot *plain = builtinClass("object")->env->names.find("__setattr__");
    return bindMember(plain->value, frame.self, type);
  }
  if (!type->open &&
      (callee.text == "__init__" || callee.text == "__post_init__" || callee.text == "__init_subclass__")) {
    return builtin(callee.text, [](Interpreter &, Value, Arguments &) { return Value::none(); });
  }
  return unknown("`super()." + std::string(callee.text) + "`", &callee);
}

Value Interpreter::callExpr(const Expr &expr, Frame &frame) {
  const Expr &callee = *expr.children[0];
  const Expr *base = callee.kind == Expr::Kind::Attribute ? callee.children[0] : nullptr;
  bool isSuper = base && base->kind == Expr::Kind::Call && base->children.size() == 1 &&
                 base->children[0]->kind == Expr::Kind::Name && base->children[0]->text == "super";
  Value function = isSuper ? superMember(callee, frame) : eval(callee, frame);
  if (function.isRaised()) {
    return function;
  }
  Arguments arguments;
  arguments.at = &expr;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    const Expr &child = *expr.children[i];
    bool starred = child.kind == Expr::Kind::Starred && !child.children.empty();
    Value item = eval(starred ? *child.children[0] : child, frame);
    if (item.isRaised()) {
      return item;
    }
    if (!starred) {
      arguments.positional.push_back(item);
      continue;
    }
    Value seen = item.isUnknown() ? item : iterate(item, arguments.positional, &child);
    if (seen.isRaised()) {
      return seen;
    }
    if (seen.isUnknown()) {
      arguments.isOpen = true;
      arguments.open = seen;
    }
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    bool splat = keyword.name.empty();
    const Expr *source = keyword.value;
    if (splat && source->python && source->python->kind == PythonExpr::Kind::Splat) {
      source = source->python->parts[0];
    }
    Value item = eval(*source, frame);
    if (item.isRaised()) {
      return item;
    }
    if (!splat) {
      arguments.keywords.emplace_back(keyword.name, item);
      continue;
    }
    item = fetch(item);
    if (!item.is(Kind::Dict)) {
      arguments.isOpen = true;
      arguments.open = item.isUnknown() ? item : unknown("`**" + spell(*source) + "`", source);
      continue;
    }
    for (const DictObject::Entry &entry : item.as<DictObject>().entries) {
      if (entry.live && entry.key.is(Kind::Str)) {
        arguments.keywords.emplace_back(heap_.intern(textOf(entry.key)), entry.value);
      }
    }
  }
  return call(function, arguments);
}

} // namespace placid::py
