// SPDX-License-Identifier: Apache-2.0
// Python's built-in functions and classes over containers and texts, as far as configuration code uses them. Those over
// numbers are in numbers.cpp, those about values themselves in reflection.cpp.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>
#include <cmath>

namespace placid::py {

namespace {

using support::argument;
using support::count;

Value makeLen(Interpreter &run, Value, Arguments &args) {
  Value value = run.fetch(argument(args, 0, ""));
  switch (value.kind) {
  case Kind::List:
  case Kind::Tuple:
    return Value::ofInt(static_cast<int64_t>(value.as<SequenceObject>().items.size()));
  case Kind::Dict:
  case Kind::Set:
    return Value::ofInt(static_cast<int64_t>(value.as<DictObject>().live));
  case Kind::Range:
    return Value::ofInt(static_cast<int64_t>(value.as<RangeObject>().size()));
  case Kind::Bytes:
    return Value::ofInt(static_cast<int64_t>(textOf(value).size()));
  case Kind::Str: {
    const std::string &whole = textOf(value);
    return Value::ofInt(std::count_if(whole.begin(), whole.end(),
                                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
  case Kind::Class:
    if (value.as<ClassObject>().isEnum) {
      return Value::ofInt(static_cast<int64_t>(value.as<ClassObject>().members.size()));
    }
    break;
  case Kind::Instance: {
    auto &instance = value.as<InstanceObject>();
    if (instance.type->isNamedTuple) {
      return Value::ofInt(static_cast<int64_t>(instance.items.size()));
    }
    bool found = false;
    Value out = run.lengthOf(value, found);
    if (found) {
      return out;
    }
    break;
  }
  case Kind::Tensor: {
    auto &tensor = value.as<TensorObject>();
    bool known = tensor.shapeKnown && !tensor.shape.empty() && tensor.shape[0] >= 0;
    return known ? Value::ofInt(tensor.shape[0]) : run.unknown("the length of a tensor", args.at);
  }
  default:
    break;
  }
  if (value.isUnknown()) {
    return value;
  }
  if (value.isNumber() || value.isNone()) {
    return run.raise("TypeError", "object of type '" + run.typeName(value) + "' has no len()", args.at);
  }
  return run.unknown("the length of " + run.typeName(value), args.at);
}

Value extreme(Interpreter &run, Arguments &args, bool largest) {
  std::vector<Value> items = args.positional;
  Value key = argument(args, SIZE_MAX, "key");
  Value fallback = argument(args, SIZE_MAX, "default");
  if (items.size() == 1) {
    Value one = items[0];
    items.clear();
    Value seen = run.iterateUnordered(one, items, args.at);
    if (!seen.isNone()) {
      return seen;
    }
  }
  if (args.isOpen) {
    return args.open;
  }
  if (items.empty()) {
    return fallback.isRaised()
               ? run.raise("ValueError", std::string(largest ? "max" : "min") + "() arg is an empty sequence", args.at)
               : fallback;
  }
  Value best;
  Value bestKey;
  Value lost;
  for (size_t i = 0; i < items.size(); ++i) {
    Value own = key.isRaised() || key.isNone() ? items[i] : run.call(key, {items[i]});
    if (own.isRaised()) {
      return own;
    }
    if (own.isUnknown()) {
      return own;
    }
    if (i == 0) {
      best = items[i];
      bestKey = own;
      continue;
    }
    Value better = largest ? run.less(bestKey, own, args.at) : run.less(own, bestKey, args.at);
    if (better.isLost()) {
      return better;
    }
    if (better.integer) {
      best = items[i];
      bestKey = own;
    }
  }
  return best;
}

Value makeMin(Interpreter &run, Value, Arguments &args) { return extreme(run, args, false); }
Value makeMax(Interpreter &run, Value, Arguments &args) { return extreme(run, args, true); }

Value makeSum(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterateUnordered(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  Value total = argument(args, 1, "start");
  total = total.isRaised() ? Value::ofInt(0) : total;
  bool floats = std::any_of(items.begin(), items.end(), [](Value item) { return item.is(Kind::Float); });
  if (floats && items.size() > 2 && std::all_of(items.begin(), items.end(), [](Value v) { return v.isNumber(); })) {
    // Since 3.12 Python adds floats with compensation; earlier versions do not. Where both agree it is the value.
    double plain = 0;
    double sum = 0;
    double compensation = 0;
    for (Value item : items) {
      double x = item.is(Kind::Float) ? item.real : bigOf(item).toDouble().value_or(0);
      plain += x;
      double next = sum + x;
      compensation += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
      sum = next;
    }
    bool zero = total.is(Kind::Int) && total.integer == 0;
    if (!zero || plain != sum + compensation) {
      return run.unknown("a sum of floats whose rounding depends on Python's version", args.at);
    }
    return Value::ofFloat(plain);
  }
  for (Value item : items) {
    total = run.binary("+", total, item, args.at);
    if (total.isLost()) {
      return total;
    }
  }
  return total;
}

Value makeSorted(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterateUnordered(argument(args, 0, ""), items, args.at);
  return seen.isNone() ? support::sorted(run, std::move(items), args) : seen;
}

Value makeRange(Interpreter &run, Value, Arguments &args) {
  int64_t parts[3] = {0, 0, 1};
  size_t given = args.positional.size();
  if (args.isOpen || given < 1 || given > 3) {
    return args.isOpen ? args.open : run.unknown("this `range`", args.at);
  }
  for (size_t i = 0; i < given; ++i) {
    Value part = enumValue(run.fetch(args.positional[i]));
    if (part.isUnknown()) {
      return part;
    }
    constexpr int64_t kLimit = int64_t{1} << 60;
    if (!part.isInteger()) {
      bool open = part.is(Kind::Foreign) || part.is(Kind::Instance) || part.is(Kind::DynDim) || part.is(Kind::Tensor);
      return open ? run.unknown("this `range`", args.at)
                  : run.raise("TypeError", "'" + run.typeName(part) + "' object cannot be interpreted as an integer",
                              args.at);
    }
    if (!part.isSmall() || part.integer > kLimit || part.integer < -kLimit) {
      return run.unknown("a range of such size", args.at);
    }
    parts[given == 1 ? 1 : i] = part.integer;
  }
  if (parts[2] == 0) {
    return run.raise("ValueError", "range() arg 3 must not be zero", args.at);
  }
  auto *made = run.heap().make<RangeObject>();
  made->start = parts[0];
  made->stop = parts[1];
  made->step = parts[2];
  return Value::make(Kind::Range, made);
}

/// Iterators of the arguments from `first` on. None, Unknown or Raised.
Value iteratorsOf(Interpreter &run, const Arguments &args, size_t first, std::vector<Value> &out) {
  for (size_t i = first; i < args.positional.size(); ++i) {
    out.push_back(run.iteratorOf(args.positional[i], args.at));
    if (out.back().isLost()) {
      return out.back();
    }
  }
  return args.isOpen ? args.open : Value::none();
}

Value makeZip(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> columns;
  Value seen = iteratorsOf(run, args, 0, columns);
  Value strict = argument(args, SIZE_MAX, "strict");
  Value checked = strict.isRaised() || !seen.isNone() ? Value::ofBool(false) : run.truth(strict);
  if (!seen.isNone() || checked.isLost()) {
    return seen.isNone() ? checked : seen;
  }
  Value made = run.lazyIterator(LazyItems::Type::Zip, std::move(columns));
  made.as<SequenceObject>().lazy->strict = checked.integer != 0;
  return made;
}

Value makeEnumerate(Interpreter &run, Value, Arguments &args) {
  Value items = run.iteratorOf(argument(args, 0, "iterable"), args.at);
  Value start = argument(args, 1, "start");
  if (items.isLost() || start.isUnknown()) {
    return items.isLost() ? items : start;
  }
  start = start.isRaised() ? Value::ofInt(0) : enumValue(run.fetch(start));
  if (!start.isInteger()) {
    bool certain = start.isNone() || start.is(Kind::Float) || start.is(Kind::Str) || start.isSequence();
    return certain ? run.raise("TypeError", "'" + run.typeName(start) + "' object cannot be interpreted as an integer",
                               args.at)
                   : run.unknown("where `enumerate` starts", args.at);
  }
  Value made = run.lazyIterator(LazyItems::Type::Enumerate, {items});
  made.as<SequenceObject>().lazy->number = start.is(Kind::Bool) ? Value::ofInt(start.integer) : start;
  return made;
}

Value makeMap(Interpreter &run, Value, Arguments &args) {
  Value function = argument(args, 0, "");
  std::vector<Value> columns;
  Value seen = iteratorsOf(run, args, 1, columns);
  if (!seen.isNone() || columns.empty()) {
    return seen.isNone() ? run.unknown("`map` of nothing", args.at) : seen;
  }
  Value made = run.lazyIterator(LazyItems::Type::Map, std::move(columns));
  made.as<SequenceObject>().lazy->function = function;
  return made;
}

Value makeFilter(Interpreter &run, Value, Arguments &args) {
  Value items = run.iteratorOf(argument(args, 1, ""), args.at);
  if (items.isLost()) {
    return items;
  }
  Value made = run.lazyIterator(LazyItems::Type::Filter, {items});
  made.as<SequenceObject>().lazy->function = argument(args, 0, "");
  return made;
}

/// any() and all() of an iterator: asked only as far as the answer takes.
Value quantifyIterator(Interpreter &run, SequenceObject &iterator, bool stopAt) {
  Value item;
  while (true) {
    switch (run.pull(iterator, item)) {
    case Interpreter::Pull::Lost:
      return item;
    case Interpreter::Pull::End:
      return Value::ofBool(!stopAt);
    case Interpreter::Pull::Item:
      break;
    }
    Value truthy = run.truth(item);
    if (truthy.isUnknown()) { // the rest may be left
      iterator.poison = truthy.object ? truthy.object : run.unknown("how far it was read").object;
    }
    if (truthy.isLost()) {
      return truthy;
    }
    if ((truthy.integer != 0) == stopAt) {
      return Value::ofBool(stopAt);
    }
  }
}

Value quantify(Interpreter &run, Arguments &args, bool stopAt) {
  Value iterator = run.fetch(argument(args, 0, ""));
  if (iterator.is(Kind::Iterator)) {
    return quantifyIterator(run, iterator.as<SequenceObject>(), stopAt);
  }
  std::vector<Value> items;
  Value seen = run.iterateUnordered(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  Value out = Value::ofBool(!stopAt);
  for (Value item : items) {
    Value truthy = run.truth(item);
    if (truthy.isRaised()) {
      return truthy;
    }
    if (truthy.isUnknown()) {
      out = truthy;
    } else if ((truthy.integer != 0) == stopAt) {
      return Value::ofBool(stopAt);
    }
  }
  return out;
}

Value makeAny(Interpreter &run, Value, Arguments &args) { return quantify(run, args, true); }
Value makeAll(Interpreter &run, Value, Arguments &args) { return quantify(run, args, false); }

Value makeReversed(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterate(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  std::reverse(items.begin(), items.end());
  return run.heap().sequence(std::move(items), Kind::Iterator);
}

Value makeStr(Interpreter &run, Value, Arguments &args) {
  return count(args) == 0 ? run.text("") : run.str(argument(args, 0, "object"));
}

Value makeBool(Interpreter &run, Value, Arguments &args) {
  return count(args) == 0 ? Value::ofBool(false) : run.truth(argument(args, 0, ""));
}

Value collectInto(Interpreter &run, Arguments &args, Kind kind) {
  std::vector<Value> items;
  if (args.isOpen) {
    return args.open;
  }
  Value seen = count(args) == 0 ? Value::none() : run.iterate(argument(args, 0, ""), items, args.at);
  return seen.isNone() ? run.heap().sequence(std::move(items), kind) : seen;
}

Value makeList(Interpreter &run, Value, Arguments &args) { return collectInto(run, args, Kind::List); }
Value makeTuple(Interpreter &run, Value, Arguments &args) { return collectInto(run, args, Kind::Tuple); }

Value makeSetValue(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = count(args) == 0 ? Value::none() : run.iterateUnordered(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  Value problem;
  Value out = run.makeSet(items, problem);
  return out.isLost() ? problem : out;
}

Value makeDictValue(Interpreter &run, Value, Arguments &args) {
  Value out = run.makeDict();
  return support::updateDict(run, out, args);
}

Value makeRepr(Interpreter &run, Value, Arguments &args) { return run.repr(argument(args, 0, "")); }

Value makeFormat(Interpreter &run, Value, Arguments &args) {
  Value spec = argument(args, 1, "");
  return spec.isUnknown() ? spec : run.format(argument(args, 0, ""), spec.is(Kind::Str) ? textOf(spec) : "", args.at);
}

Value makePrint(Interpreter &, Value, Arguments &) { return Value::none(); }

struct Row {
  std::string_view name;
  BuiltinFunction function;
};

constexpr Row kFunctions[] = {
    {"len", makeLen},
    {"min", makeMin},
    {"max", makeMax},
    {"sum", makeSum},
    {"sorted", makeSorted},
    {"zip", makeZip},
    {"enumerate", makeEnumerate},
    {"map", makeMap},
    {"filter", makeFilter},
    {"any", makeAny},
    {"all", makeAll},
    {"reversed", makeReversed},
    {"repr", makeRepr},
    {"print", makePrint},
    {"format", makeFormat},
};

constexpr Row kClasses[] = {
    {"str", makeStr},      {"bool", makeBool},          {"list", makeList},      {"tuple", makeTuple},
    {"set", makeSetValue}, {"frozenset", makeSetValue}, {"dict", makeDictValue}, {"range", makeRange},
};

} // namespace

void support::addFunctions(Interpreter &run, const std::function<void(std::string_view, Value)> &add) {
  for (const Row &row : kFunctions) {
    add(row.name, run.builtin(row.name, row.function));
  }
  addNumberFunctions(run, add);
}

void support::addClasses(const std::function<void(std::string_view, BuiltinFunction)> &add) {
  for (const Row &row : kClasses) {
    add(row.name, row.function);
  }
  addNumberClasses(add);
}

} // namespace placid::py
