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
  std::string_view reflected;
};
constexpr OrderMethod kOrderMethods[] = {
    {"<", "__lt__", "__gt__"}, {"<=", "__le__", "__ge__"}, {">", "__gt__", "__lt__"}, {">=", "__ge__", "__le__"}};

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

/// Whether `a op b` where order(a, b) is `way`.
bool holds(std::string_view op, int way) {
  return way != 2 && (op == "<" ? way < 0 : op == "<=" ? way <= 0 : op == ">" ? way > 0 : way >= 0);
}

} // namespace

Value Interpreter::lengthOf(Value instance, bool &found) {
  Value out = enumValue(dunder(instance, "__len__", {}, found));
  if (!found || out.isLost()) {
    return out;
  }
  if (out.isSmall()) {
    return out.integer >= 0 ? Value::ofInt(out.integer) : raise("ValueError", "__len__() should return >= 0");
  }
  if (out.is(Kind::Big)) {
    return raise("OverflowError", "cannot fit 'int' into an index-sized integer");
  }
  bool certain = out.isNone() || out.is(Kind::Float) || out.is(Kind::Str) || out.isSequence() || out.is(Kind::Dict);
  return certain ? raise("TypeError", "'" + typeName(out) + "' object cannot be interpreted as an integer")
                 : unknown("the length of " + typeName(instance));
}

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
    auto &instance = value.as<InstanceObject>();
    bool found = false;
    Value out = dunder(value, "__bool__", {}, found);
    if (found) {
      bool open = out.is(Kind::Foreign) || out.is(Kind::Tensor) || out.is(Kind::Pl);
      return out.isLost() || out.is(Kind::Bool) ? out
             : open ? unknown("the truth of " + typeName(value))
                    : raise("TypeError", "__bool__ should return bool, returned " + typeName(out));
    }
    out = lengthOf(value, found);
    if (found) {
      return out.isLost() ? out : Value::ofBool(out.integer != 0);
    }
    Value number = enumValue(value);
    if (!number.is(Kind::Instance)) {
      return truth(number);
    }
    if (instance.type->isNamedTuple) {
      return Value::ofBool(!instance.items.empty());
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
  if (a.isLost() || b.isLost()) {
    return a.isLost() ? a : b;
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

Value Interpreter::sameItem(Value a, Value b) {
  bool objects = !a.isLost() && !b.isLost() && a.kind == b.kind && a.kind > Kind::Float;
  if (objects && a.object == b.object && fetch(a).kind == a.kind) {
    return Value::ofBool(true);
  }
  if (a.is(Kind::Float) && b.is(Kind::Float) && std::isnan(a.real) && std::isnan(b.real)) {
    return unknown("whether two NaNs are one object");
  }
  Value out = equal(a, b);
  return out.isLost() ? out : truth(out);
}

/// Of objects of classes, as far as no `__eq__` of their own says it.
Value Interpreter::equalFields(Value a, Value b) {
  const InstanceObject &mine = a.as<InstanceObject>();
  const InstanceObject &theirs = b.as<InstanceObject>();
  Value all = Value::ofBool(true);
  for (const DataclassField &field : mine.type->fields) {
    const Slot *x = mine.attributes.find(field.name);
    const Slot *y = theirs.attributes.find(field.name);
    if (field.classVariable || !field.compared || !x || !y) {
      continue;
    }
    Value one = sameItem(x->value, y->value);
    if (one.isRaised() || (one.is(Kind::Bool) && !one.integer)) {
      return one;
    }
    all = one.isUnknown() ? one : all;
  }
  return all;
}

Value Interpreter::equalInstances(Value a, Value b) {
  bool found = false;
  Value out;
  bool both = a.is(Kind::Instance) && b.is(Kind::Instance);
  bool derived = both && a.as<InstanceObject>().type != b.as<InstanceObject>().type &&
                 b.as<InstanceObject>().type->derives(a.as<InstanceObject>().type);
  for (bool right : {derived, !derived}) { // a derived class is asked first
    Value self = right ? b : a;
    if (!found && self.is(Kind::Instance)) {
      out = dunder(self, "__eq__", {right ? a : b}, found);
    }
  }
  if (found) {
    return out;
  }
  Value x = enumValue(a);
  Value y = enumValue(b);
  if (!x.is(Kind::Instance) && !y.is(Kind::Instance)) {
    return equal(x, y);
  }
  if (a.object == b.object && a.kind == b.kind) {
    return Value::ofBool(true);
  }
  auto named = [](Value value) { return value.is(Kind::Instance) && value.as<InstanceObject>().type->isNamedTuple; };
  if (named(x) || named(y)) {
    auto items = [&](Value value) { return named(value) ? tuple(value.as<InstanceObject>().items) : value; };
    return equal(items(x), items(y));
  }
  const ClassObject &type = *(a.is(Kind::Instance) ? a : b).as<InstanceObject>().type;
  if (both && a.as<InstanceObject>().type == b.as<InstanceObject>().type && type.dataclass && type.comparesFields) {
    return equalFields(a, b);
  }
  bool open = type.open || (both && b.as<InstanceObject>().type->open);
  return open ? unknown("whether two values are equal") : Value::ofBool(false);
}

Value Interpreter::equalDicts(DictObject &x, DictObject &y) {
  if (x.type && x.type == y.type && x.type->name == "OrderedDict") {
    return unknown("whether ordered dicts are equal"); // their order counts
  }
  if ((x.type && x.type->name == "Counter") || (y.type && y.type->name == "Counter")) {
    return unknown("whether counters are equal"); // what is missing counts as 0
  }
  if (x.live != y.live) {
    return Value::ofBool(false);
  }
  const uint64_t before = x.changes;
  for (size_t i = 0; i < x.entries.size(); ++i) {
    const DictObject::Entry mine = x.entries[i];
    if (!mine.live) {
      continue;
    }
    Value problem;
    const DictObject::Entry *theirs = dictFind(y, mine.key, mine.code, problem);
    Value one = theirs ? sameItem(mine.value, theirs->value) : problem.isNone() ? Value::ofBool(false) : problem;
    if (one.isLost() || !one.integer) {
      return one;
    }
    if (x.changes != before) {
      return unknown("whether a dict is equal that changes meanwhile");
    }
  }
  return Value::ofBool(true);
}

Value Interpreter::equal(Value a, Value b) {
  a = fetch(a);
  b = fetch(b);
  if (a.isLost() || b.isLost()) {
    return a.isLost() ? a : b;
  }
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    return equalInstances(a, b);
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
  case Kind::Bytes: {
    const std::string &x = textOf(a);
    const std::string &y = textOf(b);
    return x.size() != y.size() ? Value::ofBool(false) : spendText(x.size()) ? Value::ofBool(x == y) : tooMuch();
  }
  case Kind::List:
  case Kind::Tuple: {
    // By index, and both sizes each time: an `__eq__` of an item may change either list.
    const std::vector<Value> &x = a.as<SequenceObject>().items;
    const std::vector<Value> &y = b.as<SequenceObject>().items;
    if (x.size() != y.size()) {
      return Value::ofBool(false);
    }
    Value out = Value::ofBool(true);
    for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
      Value one = sameItem(x[i], y[i]);
      if (one.isRaised() || (one.is(Kind::Bool) && !one.integer)) {
        return one;
      }
      out = one.isUnknown() ? one : out;
    }
    return x.size() == y.size() ? out : Value::ofBool(false);
  }
  case Kind::Dict:
  case Kind::Set:
    return equalDicts(a.as<DictObject>(), b.as<DictObject>());
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

Value Interpreter::orderedInstances(std::string_view op, Value a, Value b, bool &found) {
  Value out;
  const OrderMethod *row = std::find_if(std::begin(kOrderMethods), std::end(kOrderMethods),
                                        [&](const OrderMethod &r) { return r.op == op; });
  if (a.is(Kind::Instance)) {
    out = dunder(a, row->method, {b}, found);
  }
  if (!found && b.is(Kind::Instance)) {
    out = dunder(b, row->reflected, {a}, found);
  }
  bool total = !found && op != "<" && a.is(Kind::Instance) && a.as<InstanceObject>().type->totalOrder;
  if (!total) {
    return out;
  }
  // functools.total_ordering on a class that has `__lt__`.
  Value below = dunder(a, "__lt__", {b}, found);
  below = !found || below.isLost() ? below : truth(below);
  if (!found || below.isLost() || op == ">=") {
    return !found || below.isLost() ? below : Value::ofBool(!below.integer);
  }
  Value same = equal(a, b);
  same = same.isLost() ? same : truth(same);
  return same.isLost() ? same
                       : Value::ofBool(op == "<=" ? below.integer || same.integer : !below.integer && !same.integer);
}

Value Interpreter::less(Value a, Value b, const Expr *at) {
  Value out = ordered("<", a, b, at);
  return out.isLost() ? out : truth(out);
}

Value Interpreter::ordered(std::string_view op, Value a, Value b, const Expr *at) {
  a = fetch(a);
  b = fetch(b);
  if (a.isLost() || b.isLost()) {
    return a.isLost() ? a : b;
  }
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    bool found = false;
    Value out = orderedInstances(op, a, b, found);
    if (found) {
      return out;
    }
    auto items = [&](Value value) {
      value = enumValue(value);
      bool sequence = value.is(Kind::Instance) && value.as<InstanceObject>().type->isNamedTuple;
      return sequence ? tuple(value.as<InstanceObject>().items) : value;
    };
    a = items(a);
    b = items(b);
  }
  if (a.isNumber() && b.isNumber()) {
    return Value::ofBool(holds(op, order(a, b)));
  }
  if (a.kind == b.kind && (a.is(Kind::Str) || a.is(Kind::Bytes))) {
    const std::string &x = textOf(a);
    const std::string &y = textOf(b);
    int way = x < y ? -1 : x == y ? 0 : 1; // UTF-8 keeps the order of code points
    return spendText(std::min(x.size(), y.size())) ? Value::ofBool(holds(op, way)) : tooMuch();
  }
  if (a.kind == b.kind && a.isSequence()) {
    const std::vector<Value> &x = a.as<SequenceObject>().items;
    const std::vector<Value> &y = b.as<SequenceObject>().items;
    for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
      Value mine = x[i];
      Value theirs = y[i];
      Value same = sameItem(mine, theirs);
      if (same.isLost() || !same.integer) {
        return same.isLost() ? same : ordered(op, mine, theirs, at);
      }
    }
    return Value::ofBool(holds(op, x.size() < y.size() ? -1 : x.size() == y.size() ? 0 : 1));
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance) || a.is(Kind::Foreign) || b.is(Kind::Foreign) ||
      a.is(Kind::Tensor) || b.is(Kind::Tensor) || a.is(Kind::Pl) || b.is(Kind::Pl) || a.is(Kind::DynDim) ||
      b.is(Kind::DynDim) || a.is(Kind::Set)) {
    return unknown("an ordering of " + typeName(a) + " and " + typeName(b), at);
  }
  return raise("TypeError",
               "'" + std::string(op) + "' not supported between instances of '" + typeName(a) + "' and '" +
                   typeName(b) + "'",
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
  return ordered(op, a, b, at);
}

Value Interpreter::contains(Value container, Value item, const Expr *at) {
  container = fetch(container);
  item = fetch(item);
  if (container.isLost() || item.isRaised()) {
    return container.isLost() ? container : item;
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
    if (!item.is(Kind::Str)) {
      return raise("TypeError", "'in <string>' requires string as left operand, not " + typeName(item), at);
    }
    return spendSearch(textOf(container).size(), textOf(item).size())
               ? Value::ofBool(textOf(container).find(textOf(item)) != std::string::npos)
               : tooMuch();
  }
  if (container.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(container, "__contains__", {item}, found);
    if (found) {
      return out.isLost() ? out : truth(out);
    }
  }
  if (container.is(Kind::Iterator)) { // taken from as far as it has to be
    auto &iterator = container.as<SequenceObject>();
    Value found = Value::ofBool(false);
    Value candidate;
    Pull got = Pull::Item;
    while (found.is(Kind::Bool) && !found.integer && (got = pull(iterator, candidate)) == Pull::Item) {
      found = sameItem(candidate, item);
    }
    found = got == Pull::Lost ? candidate : found;
    if (found.isUnknown()) {
      iterator.poison = found.object;
    }
    return found;
  }
  std::vector<Value> items;
  Value seen = iterate(container, items, at);
  if (!seen.isNone()) {
    return seen;
  }
  Value out = Value::ofBool(false);
  for (Value candidate : items) {
    Value same = sameItem(candidate, item);
    if (same.isRaised() || (same.is(Kind::Bool) && same.integer)) {
      return same;
    }
    out = same.isUnknown() ? same : out;
  }
  return out;
}

} // namespace placid::py
