// SPDX-License-Identifier: Apache-2.0
// Truth, identity, equality and order with Python's meaning; exact between integers and floats.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <cmath>

namespace placid::py {

using syntax::Expr;

Value enumValue(Value value) {
  bool number = value.is(Kind::Instance) && value.as<InstanceObject>().type->isIntEnum;
  return number ? value.as<InstanceObject>().items[0] : value;
}

namespace {

struct OrderMethod {
  std::string_view op;
  std::string_view method;
};
constexpr OrderMethod kOrderMethods[] = {{"<", "__lt__"}, {"<=", "__le__"}, {">", "__gt__"}, {">=", "__ge__"}};

/// -1, 0, 1; 2 where NaN takes part. Exact between integers and floats.
int order(Value a, Value b) {
  if (a.is(Kind::Float) && b.is(Kind::Float)) {
    return a.real < b.real ? -1 : a.real > b.real ? 1 : a.real == b.real ? 0 : 2;
  }
  if (a.isSmall() && b.isSmall()) {
    return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
  }
  if (a.is(Kind::Float) || b.is(Kind::Float)) {
    bool flip = b.is(Kind::Float);
    double real = flip ? b.real : a.real;
    BigInt whole = bigOf(flip ? a : b);
    if (std::isnan(real)) {
      return 2;
    }
    int out = 0;
    if (std::isinf(real)) {
      out = real > 0 ? 1 : -1;
    } else {
      out = BigInt::compare(BigInt::ofDouble(real), whole);
      double fraction = real - std::trunc(real);
      out = out == 0 && fraction != 0 ? (fraction > 0 ? 1 : -1) : out;
    }
    return flip ? -out : out;
  }
  return BigInt::compare(bigOf(a), bigOf(b));
}

} // namespace

Value Interpreter::truth(Value value) {
  value = fetch(value);
  switch (value.kind) {
  case Kind::Unknown:
  case Kind::Raised:
    return value;
  case Kind::None:
    return Value::ofBool(false);
  case Kind::Bool:
  case Kind::Int:
    return Value::ofBool(value.integer != 0);
  case Kind::Float:
    return Value::ofBool(value.real != 0);
  case Kind::Str:
  case Kind::Bytes:
    return Value::ofBool(!textOf(value).empty());
  case Kind::List:
  case Kind::Tuple:
    return Value::ofBool(!value.as<SequenceObject>().items.empty());
  case Kind::Dict:
  case Kind::Set:
    return Value::ofBool(value.as<DictObject>().live > 0);
  case Kind::Range:
    return Value::ofBool(value.as<RangeObject>().size() > 0);
  case Kind::Instance: {
    Value number = enumValue(value);
    if (!number.is(Kind::Instance)) {
      return truth(number);
    }
    auto &instance = value.as<InstanceObject>();
    if (instance.type->isNamedTuple) {
      return Value::ofBool(!instance.items.empty());
    }
    bool found = false;
    Value out = dunder(value, "__bool__", {}, found);
    if (!found) {
      out = dunder(value, "__len__", {}, found);
    }
    if (found) {
      return out.isLost() ? out : truth(out);
    }
    return instance.type->open ? unknown("the truth of " + typeName(value)) : Value::ofBool(true);
  }
  case Kind::Foreign:
  case Kind::Tensor:
  case Kind::Pl:
  case Kind::DynDim:
    return unknown("the truth of `" + (value.is(Kind::Tensor) ? std::string("a tensor") : textOf(value)) + "`");
  default:
    return Value::ofBool(true);
  }
}

Value Interpreter::identical(Value a, Value b) {
  if (a.isUnknown() || b.isUnknown()) {
    return a.isUnknown() ? a : b;
  }
  if (a.kind != b.kind) {
    bool open = a.is(Kind::Foreign) || b.is(Kind::Foreign);
    return open && !a.isNone() && !b.isNone() ? unknown("whether two values are one") : Value::ofBool(false);
  }
  switch (a.kind) {
  case Kind::None:
  case Kind::Ellipsis:
    return Value::ofBool(true);
  case Kind::Bool:
    return Value::ofBool(a.integer == b.integer);
  case Kind::Int:
  case Kind::Big:
  case Kind::Float:
  case Kind::Str:
  case Kind::Bytes:
  case Kind::Tuple: {
    if (a.object == b.object && !a.isSmall() && !a.is(Kind::Float)) {
      return Value::ofBool(true);
    }
    Value equals = equal(a, b);
    return equals.is(Kind::Bool) && !equals.integer ? equals : unknown("whether two equal values are one object");
  }
  case Kind::Pl:
  case Kind::DynDim:
    return Value::ofBool(textOf(a) == textOf(b));
  case Kind::Foreign:
    return textOf(a) == textOf(b) ? Value::ofBool(true) : unknown("whether two values are one");
  case Kind::Builtin:
    return Value::ofBool(a.as<BuiltinObject>().function == b.as<BuiltinObject>().function);
  default:
    return Value::ofBool(a.object == b.object);
  }
}

Value Interpreter::equal(Value a, Value b) {
  a = fetch(a);
  b = fetch(b);
  if (a.isUnknown() || b.isUnknown()) {
    return a.isUnknown() ? a : b;
  }
  if (depth_ >= limits_.depth || !spend(1)) {
    return tooMuch();
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    Value self = a.is(Kind::Instance) ? a : b;
    Value other = a.is(Kind::Instance) ? b : a;
    bool found = false;
    Value out = dunder(self, "__eq__", {other}, found);
    if (found) {
      return out;
    }
    Value x = enumValue(a);
    Value y = enumValue(b);
    auto &instance = self.as<InstanceObject>();
    if (!x.is(Kind::Instance) && !y.is(Kind::Instance)) {
      return equal(x, y);
    }
    if (instance.type->isNamedTuple) {
      auto items = [&](Value value) {
        return value.is(Kind::Instance) ? tuple(value.as<InstanceObject>().items) : value;
      };
      return equal(items(a), items(b));
    }
    if (a.object == b.object) {
      return Value::ofBool(true);
    }
    bool fields = other.is(Kind::Instance) && other.as<InstanceObject>().type == instance.type &&
                  instance.type->dataclass && instance.type->comparesFields;
    if (!fields) {
      return instance.type->open ? unknown("whether two values are equal") : Value::ofBool(false);
    }
    ++depth_;
    Value all = Value::ofBool(true);
    for (const DataclassField &field : instance.type->fields) {
      const Slot *mine = instance.attributes.find(field.name);
      const Slot *theirs = other.as<InstanceObject>().attributes.find(field.name);
      if (field.classVariable || !mine || !theirs) {
        continue;
      }
      Value one = equal(mine->value, theirs->value);
      if (one.isLost() || !one.integer) {
        all = one;
        if (!one.isUnknown()) {
          break;
        }
      }
    }
    --depth_;
    return all;
  }
  if (a.isNumber() && b.isNumber()) {
    return Value::ofBool(order(a, b) == 0);
  }
  if (a.kind != b.kind) {
    bool open = a.is(Kind::Foreign) || b.is(Kind::Foreign) || a.is(Kind::Tensor) || b.is(Kind::Tensor);
    return open && !a.isNone() && !b.isNone() ? unknown("whether two values are equal") : Value::ofBool(false);
  }
  switch (a.kind) {
  case Kind::Str:
  case Kind::Bytes:
    return Value::ofBool(textOf(a) == textOf(b));
  case Kind::List:
  case Kind::Tuple: {
    const std::vector<Value> &x = a.as<SequenceObject>().items;
    const std::vector<Value> &y = b.as<SequenceObject>().items;
    if (x.size() != y.size()) {
      return Value::ofBool(false);
    }
    ++depth_;
    Value out = Value::ofBool(true);
    for (size_t i = 0; i < x.size(); ++i) {
      Value one = equal(x[i], y[i]);
      if (one.is(Kind::Bool) && !one.integer) {
        out = one;
        break;
      }
      out = one.isLost() ? one : out;
    }
    --depth_;
    return out;
  }
  case Kind::Dict:
  case Kind::Set: {
    auto &x = a.as<DictObject>();
    auto &y = b.as<DictObject>();
    if (x.type && x.type == y.type && x.type->name == "OrderedDict") {
      return unknown("whether ordered dicts are equal"); // their order counts
    }
    bool counts = (x.type && x.type->name == "Counter") || (y.type && y.type->name == "Counter");
    if (counts) {
      return unknown("whether counters are equal"); // what is missing counts as 0
    }
    if (x.live != y.live) {
      return Value::ofBool(false);
    }
    ++depth_;
    Value out = Value::ofBool(true);
    for (size_t i = 0; i < x.entries.size() && out.is(Kind::Bool) && out.integer; ++i) {
      Value problem;
      const DictObject::Entry *other = x.entries[i].live ? dictFind(y, x.entries[i].key, problem) : nullptr;
      if (x.entries[i].live) {
        out = other ? equal(x.entries[i].value, other->value) : Value::ofBool(false);
      }
    }
    --depth_;
    return out;
  }
  case Kind::Range: {
    auto &x = a.as<RangeObject>();
    auto &y = b.as<RangeObject>();
    bool same = x.size() == y.size() && (x.size() == 0 || (x.start == y.start && (x.size() == 1 || x.step == y.step)));
    return Value::ofBool(same);
  }
  default:
    return identical(a, b);
  }
}

Value Interpreter::less(Value a, Value b, const Expr *at) {
  a = fetch(a);
  b = fetch(b);
  if (a.isUnknown() || b.isUnknown()) {
    return a.isUnknown() ? a : b;
  }
  if (depth_ >= limits_.depth || !spend(1)) {
    return tooMuch();
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    bool found = false;
    Value out = a.is(Kind::Instance) ? dunder(a, "__lt__", {b}, found) : Value();
    if (!found && b.is(Kind::Instance)) {
      out = dunder(b, "__gt__", {a}, found);
    }
    if (found) {
      return out;
    }
    a = enumValue(a);
    b = enumValue(b);
    auto items = [&](Value value) {
      bool sequence = value.is(Kind::Instance) && value.as<InstanceObject>().type->isNamedTuple;
      return sequence ? tuple(value.as<InstanceObject>().items) : value;
    };
    a = items(a);
    b = items(b);
  }
  if (a.isNumber() && b.isNumber()) {
    return Value::ofBool(order(a, b) == -1);
  }
  if (a.kind == b.kind && (a.is(Kind::Str) || a.is(Kind::Bytes))) {
    return Value::ofBool(textOf(a) < textOf(b)); // UTF-8 keeps the order of code points
  }
  if (a.kind == b.kind && a.isSequence()) {
    const std::vector<Value> &x = a.as<SequenceObject>().items;
    const std::vector<Value> &y = b.as<SequenceObject>().items;
    ++depth_;
    Value out = Value::ofBool(x.size() < y.size());
    for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
      Value same = equal(x[i], y[i]);
      if (same.isLost() || !same.integer) {
        out = same.isLost() ? same : less(x[i], y[i], at);
        break;
      }
    }
    --depth_;
    return out;
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance) || a.is(Kind::Foreign) || b.is(Kind::Foreign) ||
      a.is(Kind::Tensor) || b.is(Kind::Tensor) || a.is(Kind::Pl) || b.is(Kind::Pl) || a.is(Kind::DynDim) ||
      b.is(Kind::DynDim) || a.is(Kind::Set)) {
    return unknown("an ordering of " + typeName(a) + " and " + typeName(b), at);
  }
  return raise("TypeError", "'<' not supported between instances of '" + typeName(a) + "' and '" + typeName(b) + "'",
               at);
}

Value Interpreter::compare(std::string_view op, Value a, Value b, const Expr *at) {
  auto negate = [&](Value value) {
    Value truthy = value.isLost() ? value : truth(value);
    return truthy.isLost() ? truthy : Value::ofBool(!truthy.integer);
  };
  if (op == "==" || op == "!=") {
    bool found = false;
    if (op == "!=" && a.is(Kind::Instance)) {
      Value out = dunder(a, "__ne__", {b}, found);
      if (found) {
        return out;
      }
    }
    Value out = equal(a, b);
    return op == "==" ? out : negate(out);
  }
  if (op == "is" || op == "is not") {
    Value out = identical(fetch(a), fetch(b));
    return op == "is" ? out : negate(out);
  }
  if (op == "in" || op == "not in") {
    Value out = contains(b, a, at);
    return op == "in" ? out : negate(out);
  }
  if (a.isUnknown() || b.isUnknown()) {
    return a.isUnknown() ? a : b;
  }
  if (a.isNumber() && b.isNumber()) {
    int way = order(a, b);
    return Value::ofBool(op == "<"    ? way == -1
                         : op == ">"  ? way == 1
                         : op == "<=" ? way == -1 || way == 0
                                      : way == 1 || way == 0);
  }
  if (a.is(Kind::Set) && b.is(Kind::Set)) {
    return unknown("a comparison of sets", at);
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    for (const OrderMethod &pair : kOrderMethods) {
      if (pair.op == op && a.is(Kind::Instance)) {
        bool found = false;
        Value out = dunder(a, pair.method, {b}, found);
        if (found) {
          return out;
        }
      }
    }
  }
  if (op == "<" || op == ">=") {
    Value out = less(a, b, at);
    return op == "<" ? out : negate(out);
  }
  Value out = less(b, a, at);
  return op == ">" ? out : negate(out);
}

Value Interpreter::contains(Value container, Value item, const Expr *at) {
  container = fetch(container);
  item = fetch(item);
  if (container.isUnknown()) {
    return container;
  }
  if (container.is(Kind::Dict) || container.is(Kind::Set)) {
    Value problem;
    const DictObject::Entry *found = dictFind(container.as<DictObject>(), item, problem);
    return found || problem.isNone() ? Value::ofBool(found != nullptr) : problem;
  }
  if (container.is(Kind::Str)) {
    if (item.isUnknown()) {
      return item;
    }
    return item.is(Kind::Str) ? Value::ofBool(textOf(container).find(textOf(item)) != std::string::npos)
                              : raise("TypeError", "'in <string>' requires string as left operand", at);
  }
  if (container.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(container, "__contains__", {item}, found);
    if (found) {
      return out.isLost() ? out : truth(out);
    }
  }
  std::vector<Value> items;
  Value seen = iterate(container, items, at);
  if (!seen.isNone()) {
    return seen;
  }
  Value out = Value::ofBool(false);
  for (Value candidate : items) {
    Value same = equal(candidate, item);
    if (same.is(Kind::Bool) && same.integer) {
      return same;
    }
    out = same.isLost() ? same : out;
    if (same.isRaised()) {
      return same;
    }
  }
  return out;
}

} // namespace placid::py
