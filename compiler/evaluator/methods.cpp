// SPDX-License-Identifier: Apache-2.0
// Methods of lists, tuples, dicts and sets, one row each. A method that is not here is unknown.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

namespace support {

Value argument(const Arguments &args, size_t index, std::string_view name) {
  if (index < args.positional.size()) {
    return args.positional[index];
  }
  for (const auto &[key, value] : args.keywords) {
    if (!name.empty() && key == name) {
      return value;
    }
  }
  return args.isOpen ? args.open : Value::raised();
}

size_t count(const Arguments &args) { return args.positional.size() + args.keywords.size(); }

Value noNumber(Interpreter &run, Value value, const std::string &what, const Arguments &args) {
  bool certain =
      value.is(Kind::Str) || value.isSequence() || value.is(Kind::Dict) || value.isNone() || value.is(Kind::Set);
  return value.isLost() ? value
         : certain ? run.raise("TypeError", "bad operand type for " + what + ": '" + run.typeName(value) + "'", args.at)
                   : run.unknown(what + " of " + run.typeName(value), args.at);
}

Value sorted(Interpreter &run, std::vector<Value> items, Arguments &args) {
  Value key = argument(args, SIZE_MAX, "key");
  Value reverse = argument(args, SIZE_MAX, "reverse");
  if (reverse.is(Kind::Str) || reverse.isSequence() || reverse.is(Kind::Float)) {
    return run.raise("TypeError", "'" + run.typeName(reverse) + "' object cannot be interpreted as an integer",
                     args.at);
  }
  Value backwards = reverse.isRaised() ? Value::ofBool(false) : run.truth(reverse);
  if (backwards.isLost()) {
    return backwards;
  }
  std::vector<std::pair<Value, Value>> keyed;
  for (Value item : items) {
    Value own = key.isRaised() || key.isNone() ? item : run.call(key, {item});
    if (own.isLost()) {
      return own;
    }
    keyed.emplace_back(own, item);
  }
  Value problem = Value::none();
  bool down = backwards.integer != 0;
  mergeSort(keyed, [&](const auto &a, const auto &b) {
    Value before = !problem.isNone() ? problem : down ? run.less(b.first, a.first) : run.less(a.first, b.first);
    problem = before.isLost() ? before : problem;
    return before.is(Kind::Bool) && before.integer != 0;
  });
  if (!problem.isNone()) {
    return problem;
  }
  std::vector<Value> out;
  for (const auto &[own, item] : keyed) {
    out.push_back(item);
  }
  return run.list(std::move(out));
}

Value updateDict(Interpreter &run, Value dict, Arguments &args) {
  auto &target = dict.as<DictObject>();
  Value problem;
  if (!args.positional.empty()) {
    Value from = run.fetch(args.positional[0]);
    if (from.is(Kind::Dict)) {
      for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(from.as<DictObject>().entries)) {
        if (entry.live && !run.dictSet(target, entry.key, entry.value, problem)) {
          return problem;
        }
      }
    } else {
      std::vector<Value> pairs;
      Value seen = run.iterate(from, pairs, args.at);
      if (!seen.isNone()) {
        return seen;
      }
      for (Value pair : pairs) {
        std::vector<Value> both;
        Value parts = run.iterate(pair, both, args.at);
        if (!parts.isNone() || both.size() != 2) {
          return parts.isNone()
                     ? run.raise("ValueError", "dictionary update sequence element has not length 2", args.at)
                     : parts;
        }
        if (!run.dictSet(target, both[0], both[1], problem)) {
          return problem;
        }
      }
    }
  }
  for (const auto &[name, value] : args.keywords) {
    if (!run.dictSet(target, run.text(std::string(name)), value, problem)) {
      return problem;
    }
  }
  return args.isOpen ? args.open : dict;
}

} // namespace support

namespace {

using support::argument;

std::vector<Value> &items(Value self) { return self.as<SequenceObject>().items; }
DictObject &dict(Value self) { return self.as<DictObject>(); }

/// For a change whose arguments are not known: the object is lost.
Value lost(Interpreter &run, Value self, Value why) {
  if (why.isUnknown()) {
    self.object->poison = why.object ? why.object : run.unknown("it may have been changed").object;
    return Value::none();
  }
  return why;
}

Value listAppend(Interpreter &run, Value self, Arguments &args) {
  Value item = argument(args, 0, "");
  if (item.isRaised()) {
    return item;
  }
  run.touch(self.object);
  items(self).push_back(item);
  run.heap().charge(sizeof(Value));
  return Value::none();
}

Value listExtend(Interpreter &run, Value self, Arguments &args) {
  std::vector<Value> more;
  Value seen = run.iterate(argument(args, 0, ""), more, args.at);
  if (!seen.isNone()) {
    return lost(run, self, seen);
  }
  run.touch(self.object);
  items(self).insert(items(self).end(), more.begin(), more.end());
  run.heap().charge(more.size() * sizeof(Value));
  return Value::none();
}

/// For what moves items of a list. False once that is too much; then the list is lost.
bool spendMoves(Interpreter &run, Value self, size_t count) {
  if (run.spend(count / 64)) {
    return true;
  }
  lost(run, self, run.tooMuch());
  return false;
}

Value listInsert(Interpreter &run, Value self, Arguments &args) {
  Value at = enumValue(argument(args, 0, ""));
  Value item = argument(args, 1, "");
  if (at.isRaised() || item.isRaised()) {
    return Value::raised();
  }
  if (!at.isSmall()) {
    return lost(run, self, at.isUnknown() ? at : run.unknown("an `insert`"));
  }
  run.touch(self.object);
  auto size = static_cast<int64_t>(items(self).size());
  int64_t where = std::clamp<int64_t>(at.integer < 0 ? at.integer + size : at.integer, 0, size);
  if (!spendMoves(run, self, static_cast<size_t>(size - where))) {
    return Value::none();
  }
  items(self).insert(items(self).begin() + static_cast<std::ptrdiff_t>(where), item);
  run.heap().charge(sizeof(Value));
  return Value::none();
}

Value listPop(Interpreter &run, Value self, Arguments &args) {
  Value at = args.positional.empty() ? Value::ofInt(-1) : enumValue(argument(args, 0, ""));
  if (!at.isSmall()) {
    lost(run, self, at.isUnknown() ? at : run.unknown("a `pop`"));
    return run.unknown("an item that is taken out", args.at);
  }
  auto size = static_cast<int64_t>(items(self).size());
  int64_t where = at.integer < 0 ? at.integer + size : at.integer;
  if (where < 0 || where >= size) {
    return run.raise("IndexError", size == 0 ? "pop from empty list" : "pop index out of range", args.at);
  }
  run.touch(self.object);
  if (!spendMoves(run, self, static_cast<size_t>(size - where))) {
    return run.tooMuch();
  }
  Value out = items(self)[static_cast<size_t>(where)];
  items(self).erase(items(self).begin() + static_cast<std::ptrdiff_t>(where));
  return run.fetch(out);
}

/// The position of an item; nullopt with `problem`. An `__eq__` of an item may change the list meanwhile.
std::optional<size_t> position(Interpreter &run, Value self, Arguments &args, Value &problem) {
  Value wanted = argument(args, 0, "");
  for (size_t i = 0; i < items(self).size(); ++i) {
    Value same = run.sameItem(items(self)[i], wanted);
    if (same.isLost() || same.integer) {
      problem = same;
      return same.isLost() ? std::nullopt : std::optional(i);
    }
  }
  problem =
      wanted.isRaised() ? wanted : run.raise("ValueError", "the item is not in the " + run.typeName(self), args.at);
  return std::nullopt;
}

Value listRemove(Interpreter &run, Value self, Arguments &args) {
  Value problem;
  std::optional<size_t> at = position(run, self, args, problem);
  if (!at) {
    return lost(run, self, problem);
  }
  run.touch(self.object);
  if (*at < items(self).size() && spendMoves(run, self, items(self).size() - *at)) {
    items(self).erase(items(self).begin() + static_cast<std::ptrdiff_t>(*at));
  }
  return Value::none();
}

Value listIndex(Interpreter &run, Value self, Arguments &args) {
  Value problem;
  if (args.positional.size() != 1) {
    return run.unknown("`index` of a part", args.at);
  }
  std::optional<size_t> at = position(run, self, args, problem);
  return at ? Value::ofInt(static_cast<int64_t>(*at)) : problem;
}

Value listCount(Interpreter &run, Value self, Arguments &args) {
  Value wanted = argument(args, 0, "");
  int64_t out = 0;
  for (size_t i = 0; i < items(self).size(); ++i) {
    Value same = run.sameItem(items(self)[i], wanted);
    if (same.isLost()) {
      return same;
    }
    out += same.integer;
  }
  return wanted.isRaised() ? wanted : Value::ofInt(out);
}

Value listSort(Interpreter &run, Value self, Arguments &args) {
  const size_t size = items(self).size();
  Value out = support::sorted(run, items(self), args);
  if (out.isLost()) {
    return lost(run, self, out);
  }
  if (items(self).size() != size) {
    return lost(run, self, run.unknown("a list that changes while it is sorted"));
  }
  run.touch(self.object);
  items(self) = items(out);
  return Value::none();
}

Value listReverse(Interpreter &run, Value self, Arguments &) {
  run.touch(self.object);
  if (spendMoves(run, self, items(self).size())) {
    std::reverse(items(self).begin(), items(self).end());
  }
  return Value::none();
}

Value listCopy(Interpreter &run, Value self, Arguments &) {
  return run.spend(items(self).size() / 64) ? run.list(items(self)) : run.tooMuch();
}

Value listClear(Interpreter &run, Value self, Arguments &) {
  run.touch(self.object);
  items(self).clear();
  return Value::none();
}

Value dictGet(Interpreter &run, Value self, Arguments &args) {
  Value problem;
  if (argument(args, 0, "").isRaised()) {
    return Value::raised();
  }
  const DictObject::Entry *found = run.dictFind(dict(self), argument(args, 0, ""), problem);
  if (found || !problem.isNone()) {
    return found ? run.fetch(found->value) : problem;
  }
  Value fallback = argument(args, 1, "");
  return fallback.isRaised() ? Value::none() : fallback;
}

Value dictPop(Interpreter &run, Value self, Arguments &args) {
  Value problem;
  DictObject::Entry *found = run.dictFind(dict(self), argument(args, 0, "key"), problem);
  if (!found) {
    Value fallback = argument(args, 1, "default");
    if (!problem.isNone()) {
      return lost(run, self, problem);
    }
    return fallback.isRaised() ? run.raiseKey(argument(args, 0, "key"), args.at) : fallback;
  }
  run.touchDict(dict(self));
  Value out = found->value;
  dict(self).erase(*found);
  return run.fetch(out);
}

Value dictSetDefault(Interpreter &run, Value self, Arguments &args) {
  Value problem;
  DictObject::Entry *found = run.dictFind(dict(self), argument(args, 0, "key"), problem);
  if (found) {
    return run.fetch(found->value);
  }
  Value fallback = argument(args, 1, "default");
  fallback = fallback.isRaised() ? Value::none() : fallback;
  run.touchDict(dict(self));
  return problem.isNone() && run.dictSet(dict(self), argument(args, 0, "key"), fallback, problem)
             ? fallback
             : lost(run, self, problem);
}

Value dictUpdate(Interpreter &run, Value self, Arguments &args) {
  Value owner = dict(self).shows;
  if (owner.isNone()) {
    run.touch(self.object);
    Value done = support::updateDict(run, self, args);
    return done.isLost() ? lost(run, self, done) : Value::none();
  }
  // `self.__dict__.update(…)` sets attributes.
  Value more = run.makeDict();
  Value done = support::updateDict(run, more, args);
  if (done.isLost()) {
    run.touchDict(dict(self));
    return done.isRaised() ? done : Value::none();
  }
  for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(dict(more).entries)) {
    Value set = run.setItem(self, entry.key, entry.value);
    if (set.isRaised()) {
      return set;
    }
  }
  return Value::none();
}

Value dictItems(Interpreter &run, Value self, Arguments &) {
  std::vector<Value> out;
  if (!run.spend(dict(self).live / 4)) {
    return run.tooMuch();
  }
  for (const DictObject::Entry &entry : dict(self).entries) {
    if (entry.live) {
      out.push_back(run.tuple({entry.key, entry.value}));
    }
  }
  return run.list(std::move(out));
}

Value dictKeys(Interpreter &run, Value self, Arguments &) {
  std::vector<Value> out;
  if (!run.spend(dict(self).live / 4)) {
    return run.tooMuch();
  }
  for (const DictObject::Entry &entry : dict(self).entries) {
    if (entry.live) {
      out.push_back(entry.key);
    }
  }
  return run.list(std::move(out));
}

Value dictValues(Interpreter &run, Value self, Arguments &) {
  std::vector<Value> out;
  if (!run.spend(dict(self).live / 4)) {
    return run.tooMuch();
  }
  for (const DictObject::Entry &entry : dict(self).entries) {
    if (entry.live) {
      out.push_back(entry.value);
    }
  }
  return run.list(std::move(out));
}

Value dictCopy(Interpreter &run, Value self, Arguments &) {
  Value out = run.makeDict();
  Value problem;
  for (const DictObject::Entry &entry : dict(self).entries) {
    if (entry.live) {
      run.dictSet(dict(out), entry.key, entry.value, problem);
    }
  }
  out.kind = self.kind;
  dict(out).type = dict(self).type;
  dict(out).missing = dict(self).missing;
  return out;
}

Value dictClear(Interpreter &run, Value self, Arguments &) {
  run.touchDict(dict(self));
  dict(self).clear();
  return Value::none();
}

Value setAdd(Interpreter &run, Value self, Arguments &args) {
  run.touch(self.object);
  Value problem;
  return run.dictSet(dict(self), argument(args, 0, ""), Value::none(), problem) ? Value::none()
                                                                                : lost(run, self, problem);
}

Value setDiscard(Interpreter &run, Value self, Arguments &args) {
  run.touch(self.object);
  Value problem = Value::none();
  run.dictErase(dict(self), argument(args, 0, ""), problem);
  return problem.isNone() ? problem : lost(run, self, problem);
}

Value setRemove(Interpreter &run, Value self, Arguments &args) {
  run.touch(self.object);
  Value problem = Value::none();
  bool gone = run.dictErase(dict(self), argument(args, 0, ""), problem);
  return gone               ? Value::none()
         : problem.isNone() ? run.raiseKey(argument(args, 0, ""), args.at)
                            : lost(run, self, problem);
}

Value setOperation(Interpreter &run, Value self, Arguments &args, std::string_view op) {
  Value out = self;
  for (Value other : args.positional) {
    std::vector<Value> more;
    Value seen = run.iterateUnordered(other, more, args.at);
    Value problem;
    Value right = seen.isNone() ? run.makeSet(more, problem) : seen;
    out = right.isLost() ? right : run.binary(op, out, right, args.at);
    if (out.isLost()) {
      return out;
    }
  }
  return out;
}

Value setUnion(Interpreter &run, Value self, Arguments &args) { return setOperation(run, self, args, "|"); }
Value setIntersection(Interpreter &run, Value self, Arguments &args) { return setOperation(run, self, args, "&"); }
Value setDifference(Interpreter &run, Value self, Arguments &args) { return setOperation(run, self, args, "-"); }

Value setUpdate(Interpreter &run, Value self, Arguments &args) {
  for (Value other : args.positional) {
    std::vector<Value> more;
    Value seen = run.iterateUnordered(other, more, args.at);
    if (!seen.isNone()) {
      return lost(run, self, seen);
    }
    run.touch(self.object);
    for (Value item : more) {
      Value problem;
      if (!run.dictSet(dict(self), item, Value::none(), problem)) {
        return lost(run, self, problem);
      }
    }
  }
  return Value::none();
}

Value setSymmetric(Interpreter &run, Value self, Arguments &args) { return setOperation(run, self, args, "^"); }

/// The methods that leave what the operation gives in the set itself.
Value setInPlace(Interpreter &run, Value self, Arguments &args, std::string_view op) {
  Value out = setOperation(run, self, args, op);
  if (out.isLost()) {
    return lost(run, self, out);
  }
  run.touch(self.object);
  if (out.object != self.object) {
    dict(self).assign(dict(out));
  }
  return Value::none();
}

Value setKeep(Interpreter &run, Value self, Arguments &args) { return setInPlace(run, self, args, "&"); }
Value setDrop(Interpreter &run, Value self, Arguments &args) { return setInPlace(run, self, args, "-"); }
Value setToggle(Interpreter &run, Value self, Arguments &args) { return setInPlace(run, self, args, "^"); }

Value dictPopItem(Interpreter &run, Value self, Arguments &args) {
  auto &entries = dict(self).entries;
  auto last = std::find_if(entries.rbegin(), entries.rend(), [](const DictObject::Entry &entry) { return entry.live; });
  if (last == entries.rend()) {
    return run.raiseKey(run.text("popitem(): dictionary is empty"), args.at);
  }
  if (!args.positional.empty() || !args.keywords.empty()) {
    return lost(run, self, run.unknown("`popitem` of the first"));
  }
  run.touchDict(dict(self));
  Value out = run.tuple({last->key, last->value});
  dict(self).erase(*last);
  return out;
}

Value setSubset(Interpreter &run, Value self, Arguments &args) {
  Value shared = setOperation(run, self, args, "&");
  return shared.isLost() ? shared : Value::ofBool(dict(shared).live == dict(self).live);
}

struct Row {
  std::string_view name;
  BuiltinFunction function;
};

constexpr Row kList[] = {{"append", listAppend},   {"extend", listExtend}, {"insert", listInsert}, {"pop", listPop},
                         {"remove", listRemove},   {"index", listIndex},   {"count", listCount},   {"sort", listSort},
                         {"reverse", listReverse}, {"copy", listCopy},     {"clear", listClear}};
constexpr Row kTuple[] = {{"index", listIndex}, {"count", listCount}};
constexpr Row kDict[] = {{"get", dictGet},        {"pop", dictPop},     {"setdefault", dictSetDefault},
                         {"update", dictUpdate},  {"items", dictItems}, {"keys", dictKeys},
                         {"values", dictValues},  {"copy", dictCopy},   {"clear", dictClear},
                         {"popitem", dictPopItem}};
constexpr Row kSet[] = {{"add", setAdd},
                        {"discard", setDiscard},
                        {"remove", setRemove},
                        {"union", setUnion},
                        {"intersection", setIntersection},
                        {"difference", setDifference},
                        {"update", setUpdate},
                        {"issubset", setSubset},
                        {"copy", dictCopy},
                        {"clear", dictClear},
                        {"symmetric_difference", setSymmetric},
                        {"intersection_update", setKeep},
                        {"difference_update", setDrop},
                        {"symmetric_difference_update", setToggle}};

template <size_t N> BuiltinFunction findRow(const Row (&rows)[N], std::string_view name) {
  for (const Row &row : rows) {
    if (row.name == name) {
      return row.function;
    }
  }
  return nullptr;
}

} // namespace

BuiltinFunction textMethod(std::string_view name); // text_methods.cpp
BuiltinFunction instanceMethod(Value base, std::string_view name);
BuiltinFunction collectionMethod(const DictObject &dict, std::string_view name); // library_collections.cpp
BuiltinFunction numberMethod(Value base, std::string_view name);                 // library_math.cpp

Value Interpreter::methodOf(Value base, std::string_view name) {
  if (base.is(Kind::Dict)) {
    if (BuiltinFunction own = collectionMethod(base.as<DictObject>(), name)) {
      return builtin(heap_.intern(name), own, base);
    }
  }
  BuiltinFunction function = base.is(Kind::List)     ? findRow(kList, name)
                             : base.is(Kind::Tuple)  ? findRow(kTuple, name)
                             : base.is(Kind::Dict)   ? findRow(kDict, name)
                             : base.is(Kind::Set)    ? findRow(kSet, name)
                             : base.is(Kind::Str)    ? textMethod(name)
                             : base.is(Kind::Tensor) ? nullptr
                             : base.isNumber()       ? numberMethod(base, name)
                                                     : instanceMethod(base, name);
  if (function) {
    return builtin(heap_.intern(name), function, base);
  }
  if (base.is(Kind::Tensor)) {
    return builtin(
        heap_.intern(name),
        [](Interpreter &run, Value self, Arguments &args) {
          auto &parts = self.as<SequenceObject>().items;
          return run.tensorMethod(parts[0], textOf(parts[1]), args);
        },
        tuple({base, text(std::string(name))}));
  }
  return Value::raised();
}

} // namespace placid::py
