// SPDX-License-Identifier: Apache-2.0
// Dicts and sets, iteration, subscripts and slices.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace placid::py {

using syntax::Expr;

namespace {

uint64_t mix(uint64_t seed, uint64_t value) { return (seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 7); }

/// A slice over a number of items, as Python clamps it.
struct Span {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  int64_t count = 0;
};

/// Nothing where a bound is no integer, or the step is 0.
std::optional<Span> spanOf(Value slice, int64_t size) {
  const std::vector<Value> &bounds = slice.as<SequenceObject>().items;
  for (Value bound : bounds) {
    if (!bound.isNone() && !bound.isSmall()) {
      return std::nullopt;
    }
  }
  Span out;
  out.step = bounds[2].isNone() ? 1 : bounds[2].integer;
  if (out.step == 0 || out.step == INT64_MIN) {
    return std::nullopt;
  }
  bool down = out.step < 0;
  auto clamp = [&](Value bound, int64_t absent) {
    if (bound.isNone()) {
      return absent;
    }
    int64_t at = bound.integer < 0 ? bound.integer + size : bound.integer;
    return std::clamp<int64_t>(at, down ? -1 : 0, down ? size - 1 : size);
  };
  out.start = clamp(bounds[0], down ? size - 1 : 0);
  out.stop = clamp(bounds[1], down ? -1 : size);
  out.count = !down ? (out.stop > out.start ? (out.stop - out.start - 1) / out.step + 1 : 0)
                    : (out.start > out.stop ? (out.start - out.stop - 1) / -out.step + 1 : 0);
  return out;
}

/// Byte offsets of the code points of a text, and its end.
std::vector<size_t> points(const std::string &text) {
  std::vector<size_t> out;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      out.push_back(i);
    }
  }
  out.push_back(text.size());
  return out;
}

} // namespace

std::optional<uint64_t> Interpreter::hash(Value key, Value &problem) {
  key = fetch(key);
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    problem = tooMuch();
    return std::nullopt;
  }
  switch (key.kind) {
  case Kind::Unknown:
  case Kind::Raised:
    problem = key;
    return std::nullopt;
  case Kind::None:
  case Kind::Ellipsis:
    return 1;
  case Kind::Bool:
  case Kind::Int:
    return mix(2, static_cast<uint64_t>(key.integer));
  case Kind::Big:
    if (!spend(bigOf(key).bits() / 64)) {
      problem = tooMuch();
      return std::nullopt;
    }
    return mix(3, std::hash<std::string>()(bigOf(key).text(16)));
  case Kind::Float:
    if (std::isfinite(key.real) && key.real == std::floor(key.real)) {
      return hash(heap_.integer(BigInt::ofDouble(key.real)), problem);
    }
    return mix(4, std::hash<double>()(key.real));
  case Kind::Str:
  case Kind::Bytes:
  case Kind::Pl:
  case Kind::DynDim:
  case Kind::Foreign:
    if (!spendText(textOf(key).size())) {
      problem = tooMuch();
      return std::nullopt;
    }
    return mix(5, std::hash<std::string>()(textOf(key)));
  case Kind::Tuple: {
    uint64_t out = 6;
    for (Value item : key.as<SequenceObject>().items) {
      std::optional<uint64_t> one = hash(item, problem);
      if (!one) {
        return std::nullopt;
      }
      out = mix(out, *one);
    }
    return out;
  }
  case Kind::Instance:
    return hashInstance(key, problem);
  case Kind::List:
  case Kind::Dict:
  case Kind::Set:
    problem = raise("TypeError", "unhashable type: '" + typeName(key) + "'");
    return std::nullopt;
  default:
    return mix(9, key.object ? key.object->serial : 0);
  }
}

/// Without running any code of the program: what has its own `__eq__` or `__hash__` is not followed.
std::optional<uint64_t> Interpreter::hashInstance(Value key, Value &problem) {
  auto &instance = key.as<InstanceObject>();
  if (classAttribute(instance.type, "__eq__") || classAttribute(instance.type, "__hash__")) {
    problem = unknown("a key with its own `__eq__`");
    return std::nullopt;
  }
  if (instance.type->isIntEnum) {
    return hash(instance.items[0], problem);
  }
  if (instance.type->isNamedTuple) {
    return hash(tuple(instance.items), problem);
  }
  if (!instance.type->dataclass || !instance.type->comparesFields) {
    return mix(8, key.object->serial);
  }
  if (!instance.type->frozen && !instance.type->hashed) {
    problem = raise("TypeError", "unhashable type: '" + std::string(instance.type->name) + "'");
    return std::nullopt;
  }
  uint64_t out = 7;
  for (const DataclassField &field : instance.type->fields) {
    const Slot *slot = field.classVariable || !field.compared ? nullptr : instance.attributes.find(field.name);
    std::optional<uint64_t> one = slot ? hash(slot->value, problem) : std::optional<uint64_t>(0);
    if (!one) {
      return std::nullopt;
    }
    out = mix(out, *one);
  }
  return out;
}

DictObject::Entry *Interpreter::dictFind(DictObject &dict, Value key, Value &problem) {
  problem = Value::none();
  std::optional<uint64_t> code = hash(key, problem);
  return code ? dictFind(dict, key, *code, problem) : nullptr;
}

DictObject::Entry *Interpreter::dictFind(DictObject &dict, Value key, uint64_t code, Value &problem) {
  problem = Value::none();
  if (!spend(1)) {
    problem = tooMuch();
    return nullptr;
  }
  const uint64_t before = dict.changes;
  auto [first, last] = dict.index.equal_range(code);
  for (auto it = first; it != last; ++it) {
    DictObject::Entry &entry = dict.entries[it->second];
    Value same = sameItem(entry.key, key);
    if (dict.changes != before) { // an `__eq__` that came to the class later; `entry` may be gone
      problem = unknown("a dict that changes while a key is looked up");
      return nullptr;
    }
    if (same.isLost()) {
      problem = same;
      return nullptr;
    }
    if (same.integer) {
      return &entry;
    }
  }
  return nullptr;
}

bool Interpreter::dictSet(DictObject &dict, Value key, Value value, Value &problem) {
  problem = Value::none();
  std::optional<uint64_t> code = hash(key, problem);
  if (!code || value.isRaised()) {
    problem = code ? value : problem;
    return false;
  }
  if (DictObject::Entry *found = dictFind(dict, key, *code, problem)) {
    found->value = value;
    return true;
  }
  if (!problem.isNone()) {
    return false;
  }
  heap_.charge(sizeof(DictObject::Entry) + 32);
  dict.add(*code, key, value);
  return true;
}

bool Interpreter::dictErase(DictObject &dict, Value key, Value &problem) {
  DictObject::Entry *found = dictFind(dict, key, problem);
  if (found) {
    dict.erase(*found);
  }
  return found != nullptr;
}

Value Interpreter::makeSet(const std::vector<Value> &items, Value &problem) {
  auto *made = heap_.make<DictObject>();
  problem = Value::none();
  for (Value item : items) {
    if (!dictSet(*made, item, Value::none(), problem)) {
      return problem;
    }
  }
  return Value::make(Kind::Set, made);
}

Value Interpreter::iterate(Value iterable, std::vector<Value> &out, const Expr *at) {
  iterable = fetch(iterable);
  if (iterable.is(Kind::Set) && iterable.as<DictObject>().live > 1) {
    return unknown("the order of a set", at);
  }
  return iterateUnordered(iterable, out, at);
}

/// Room for `count` more items in `out`; false where it is too much.
bool Interpreter::take(const std::vector<Value> &out, uint64_t count) {
  if (!spend(count / 4 + 1) || out.size() + count > (size_t{1} << 20)) {
    return false;
  }
  heap_.charge(count * sizeof(Value));
  return true;
}

/// What an iterator still gives, to its end.
Value Interpreter::drain(SequenceObject &iterator, std::vector<Value> &out) {
  if (Value begun = startIterator(iterator, /*whole=*/true); !begun.isNone()) {
    return begun;
  }
  if (iterator.lazy || iterator.tail.isUnknown()) {
    Value item;
    Pull got = Pull::Item;
    while ((got = pull(iterator, item)) == Pull::Item) {
      if (!take(out, 1)) {
        return tooMuch();
      }
      out.push_back(item);
    }
    return got == Pull::End ? Value::none() : item;
  }
  touch(&iterator);
  if (!take(out, iterator.items.size() - iterator.next)) {
    return tooMuch();
  }
  out.insert(out.end(), iterator.items.begin() + static_cast<std::ptrdiff_t>(iterator.next), iterator.items.end());
  iterator.next = iterator.items.size();
  return Value::none();
}

Value Interpreter::iterateUnordered(Value iterable, std::vector<Value> &out, const Expr *at) {
  iterable = fetch(iterable);
  switch (iterable.kind) {
  case Kind::Unknown:
  case Kind::Raised:
    return iterable;
  case Kind::List:
  case Kind::Tuple: {
    const std::vector<Value> &items = iterable.as<SequenceObject>().items;
    if (!take(out, items.size())) {
      return tooMuch();
    }
    for (Value item : std::vector<Value>(items)) {
      out.push_back(fetch(item));
    }
    return Value::none();
  }
  case Kind::Iterator:
    return drain(iterable.as<SequenceObject>(), out);
  case Kind::Dict:
  case Kind::Set:
    if (!take(out, iterable.as<DictObject>().live)) {
      return tooMuch();
    }
    for (const DictObject::Entry &entry : iterable.as<DictObject>().entries) {
      if (entry.live) {
        out.push_back(entry.key);
      }
    }
    return Value::none();
  case Kind::Range: {
    auto &range = iterable.as<RangeObject>();
    if (!take(out, range.size())) {
      return tooMuch();
    }
    for (uint64_t i = 0; i < range.size(); ++i) {
      out.push_back(Value::ofInt(range.start + static_cast<int64_t>(i) * range.step));
    }
    return Value::none();
  }
  case Kind::Str: {
    const std::string &whole = textOf(iterable);
    if (!take(out, whole.size() * 4)) {
      return tooMuch();
    }
    std::vector<size_t> at0 = points(whole);
    for (size_t i = 0; i + 1 < at0.size(); ++i) {
      out.push_back(text(whole.substr(at0[i], at0[i + 1] - at0[i])));
    }
    return Value::none();
  }
  case Kind::Class: {
    auto &type = iterable.as<ClassObject>();
    if (type.isEnum) {
      out.insert(out.end(), type.members.begin(), type.members.end());
      return Value::none();
    }
    break;
  }
  case Kind::Instance: {
    auto &instance = iterable.as<InstanceObject>();
    if (instance.type->isNamedTuple) {
      out.insert(out.end(), instance.items.begin(), instance.items.end());
      return Value::none();
    }
    bool found = false;
    Value made = dunder(iterable, "__iter__", {}, found);
    if (found && !made.is(Kind::Instance)) {
      return made.isLost() ? made : iterateUnordered(made, out, at);
    }
    return unknown("the items of " + typeName(iterable), at);
  }
  case Kind::Foreign:
  case Kind::Tensor:
  case Kind::Pl:
  case Kind::Bytes:
    return unknown("the items of " + typeName(iterable), at);
  default:
    break;
  }
  return raise("TypeError", "'" + typeName(iterable) + "' object is not iterable", at);
}

Value Interpreter::dictItem(DictObject &dict, Value index, const Expr *at) {
  Value problem;
  const DictObject::Entry *found = dictFind(dict, index, problem);
  if (found) {
    return fetch(found->value);
  }
  if (!problem.isNone()) {
    return problem;
  }
  if (ClassObject *type = dict.type) {
    Value maker = dict.missing;
    if (type->name == "Counter") {
      return Value::ofInt(0);
    }
    if (!maker.isNone()) {
      Value made = call(maker, std::vector<Value>());
      if (made.isRaised()) {
        return made;
      }
      touch(&dict);
      return dictSet(dict, index, made, problem) ? made : problem;
    }
  }
  return raiseKey(index, at);
}

/// `base[a:b:c]` of a text, a sequence or a range; `at0` are where the characters of a text begin.
Value Interpreter::sliceOf(Value base, Value index, int64_t size, const std::vector<size_t> &at0, const Expr *at) {
  std::optional<Span> span = spanOf(index, size);
  if (!span) {
    return unknown("this slice", at);
  }
  if (!base.is(Kind::Range) && !spend(static_cast<uint64_t>(span->count) / 8 + 1)) {
    return tooMuch();
  }
  if (base.is(Kind::Range)) {
    auto &from = base.as<RangeObject>();
    auto *made = heap_.make<RangeObject>();
    made->start = from.start + span->start * from.step; // one of its items, or the bound beside them
    made->stop = from.start + span->stop * from.step;
    bool fits = !__builtin_mul_overflow(from.step, span->step, &made->step);
    return fits ? Value::make(Kind::Range, made) : unknown("a range of such size", at);
  }
  const std::string *whole = base.is(Kind::Str) ? &textOf(base) : nullptr;
  std::string piece;
  std::vector<Value> items;
  for (int64_t i = 0; i < span->count; ++i) {
    int64_t k = span->start + i * span->step;
    if (whole) {
      piece +=
          whole->substr(at0[static_cast<size_t>(k)], at0[static_cast<size_t>(k) + 1] - at0[static_cast<size_t>(k)]);
    } else {
      items.push_back(base.as<SequenceObject>().items[static_cast<size_t>(k)]);
    }
  }
  return whole ? text(std::move(piece)) : heap_.sequence(std::move(items), base.kind);
}

Value Interpreter::subscript(Value base, Value index, const Expr *at) {
  base = fetch(base);
  index = enumValue(fetch(index));
  if (base.isLost()) {
    return base;
  }
  if (base.is(Kind::Dict)) {
    return dictItem(base.as<DictObject>(), index, at);
  }
  if (base.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(base, "__getitem__", {index}, found);
    if (found) {
      return out;
    }
    if (base.as<InstanceObject>().type->isNamedTuple) {
      base = tuple(base.as<InstanceObject>().items);
    }
  }
  if (base.is(Kind::Class) && base.as<ClassObject>().isEnum && index.is(Kind::Str)) {
    const Slot *member = base.as<ClassObject>().env->names.find(textOf(index));
    return member ? member->value : raiseKey(index, at);
  }
  bool list = base.isSequence();
  if (!list && !base.is(Kind::Str) && !base.is(Kind::Range)) {
    if (base.is(Kind::Tensor)) {
      Arguments arguments{{index}, {}, {}, false, at};
      return tensorMethod(base, "[]", arguments);
    }
    return unknown("a subscript of " + typeName(base), at);
  }
  if (index.isLost()) {
    return index;
  }
  const std::string *whole = base.is(Kind::Str) ? &textOf(base) : nullptr;
  if (whole && !spend(whole->size() / 16)) {
    return tooMuch();
  }
  std::vector<size_t> at0 = whole ? points(*whole) : std::vector<size_t>();
  auto size = static_cast<int64_t>(whole  ? at0.size() - 1
                                   : list ? base.as<SequenceObject>().items.size()
                                          : base.as<RangeObject>().size());
  auto item = [&](int64_t i) {
    auto k = static_cast<size_t>(i);
    return whole  ? text(whole->substr(at0[k], at0[k + 1] - at0[k]))
           : list ? fetch(base.as<SequenceObject>().items[k])
                  : Value::ofInt(base.as<RangeObject>().start + i * base.as<RangeObject>().step);
  };
  if (index.is(Kind::Slice)) {
    return sliceOf(base, index, size, at0, at);
  }
  if (index.is(Kind::Big)) {
    return raise("IndexError", "cannot fit 'int' into an index-sized integer", at);
  }
  if (index.is(Kind::Instance) || index.is(Kind::Foreign) || index.is(Kind::Tensor) || index.is(Kind::DynDim)) {
    return unknown("an index that is a " + typeName(index), at); // `__index__` may say which
  }
  if (!index.isSmall()) {
    return raise("TypeError", typeName(base) + " indices must be integers or slices, not " + typeName(index), at);
  }
  int64_t i = index.integer < 0 ? index.integer + size : index.integer;
  if (i < 0 || i >= size) {
    return raise("IndexError", (whole ? std::string("string") : typeName(base)) + " index out of range", at);
  }
  return item(i);
}

Value Interpreter::setItem(Value base, Value index, Value value) {
  base = fetch(base);
  index = enumValue(fetch(index));
  if (base.is(Kind::Dict)) {
    Value owner = base.as<DictObject>().shows;
    if (owner.is(Kind::Instance) && index.is(Kind::Str)) { // past `__setattr__`, properties and `frozen`
      noteChange(owner.object);
      setSlot(owner.as<InstanceObject>().attributes, heap_.intern(textOf(index)), {value, {}, {}, true});
      touch(base.object);
    } else if (!owner.isNone() && index.is(Kind::Str)) {
      Value done = setAttribute(owner, heap_.intern(textOf(index)), value, {});
      if (done.isRaised()) {
        return done;
      }
      touch(base.object);
    } else {
      touchDict(base.as<DictObject>());
    }
    Value problem;
    if (!dictSet(base.as<DictObject>(), index, value, problem)) {
      lose(base, problem);
      return problem.isRaised() ? problem : Value::none();
    }
    return Value::none();
  }
  if (base.is(Kind::List)) {
    std::vector<Value> more;
    Value seen = index.is(Kind::Slice) ? iterate(value, more) : Value::none(); // may run code that changes this list
    if (seen.isRaised()) {
      return seen;
    }
    touch(base.object);
    std::vector<Value> &items = base.as<SequenceObject>().items;
    auto size = static_cast<int64_t>(items.size());
    if (index.isSmall()) {
      int64_t i = index.integer < 0 ? index.integer + size : index.integer;
      if (i < 0 || i >= size) {
        return raise("IndexError", "list assignment index out of range");
      }
      items[static_cast<size_t>(i)] = value;
      return Value::none();
    }
    std::optional<Span> span = index.is(Kind::Slice) && seen.isNone() ? spanOf(index, size) : std::nullopt;
    if (span && span->step == 1) {
      if (!spend(items.size() / 64 + more.size() / 8)) {
        lose(base, tooMuch());
        return Value::none();
      }
      auto first = items.begin() + static_cast<std::ptrdiff_t>(span->start);
      items.erase(first, first + static_cast<std::ptrdiff_t>(span->count));
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(span->start), more.begin(), more.end());
      heap_.charge(more.size() * sizeof(Value));
      return Value::none();
    }
    lose(base, unknown("its items are set in a way that is not followed"));
    return Value::none();
  }
  if (base.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(base, "__setitem__", {index, value}, found);
    return out.isRaised() && found ? out : Value::none();
  }
  if (base.is(Kind::Tuple) || base.is(Kind::Str)) {
    return raise("TypeError", "'" + typeName(base) + "' object does not support item assignment");
  }
  return Value::none();
}

Value Interpreter::deleteItem(Value base, Value index) {
  base = fetch(base);
  index = fetch(index);
  if (base.is(Kind::Dict)) {
    touchDict(base.as<DictObject>());
    Value problem;
    if (!dictErase(base.as<DictObject>(), index, problem)) {
      if (problem.isNone()) {
        return raiseKey(index);
      }
      lose(base, problem);
      return problem.isRaised() ? problem : Value::none();
    }
  } else if (base.is(Kind::List)) {
    touch(base.object);
    std::vector<Value> &items = base.as<SequenceObject>().items;
    auto size = static_cast<int64_t>(items.size());
    std::optional<Span> span;
    if (index.isSmall()) {
      int64_t at = index.integer < 0 ? index.integer + size : index.integer;
      if (at < 0 || at >= size) {
        return raise("IndexError", "list assignment index out of range");
      }
      span = Span{at, at + 1, 1, 1};
    } else if (index.is(Kind::Slice)) {
      span = spanOf(index, size);
    }
    if (!span || span->step != 1) {
      lose(base, unknown("its items are deleted in a way that is not followed"));
      return Value::none();
    }
    if (!spend(items.size() / 64)) {
      lose(base, tooMuch());
      return Value::none();
    }
    auto first = items.begin() + static_cast<std::ptrdiff_t>(span->start);
    items.erase(first, first + static_cast<std::ptrdiff_t>(span->count));
  } else if (base.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(base, "__delitem__", {index}, found);
    return out.isRaised() && found ? out : Value::none();
  }
  return Value::none();
}

} // namespace placid::py
