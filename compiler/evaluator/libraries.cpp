// SPDX-License-Identifier: Apache-2.0
// The parts of the standard library that configuration code uses: dataclasses, functools, os, sys, copy, itertools,
// enum, typing. The environment is empty and there are no command-line arguments; reading either is noted. What is not
// here stays a name without meaning.
#include "compiler/evaluator/builtin_support.h"
#include "compiler/evaluator/library_tables.h"

#include <algorithm>
#include <climits>

namespace placid::py {

namespace {

using support::argument;

Value identityFunction(Interpreter &, Value, Arguments &args) { return argument(args, 0, ""); }

/// `@cache`, `@cache()`, `@wraps(f)`: what they wrap is what counts.
Value transparent(Interpreter &run, Value, Arguments &args) {
  Value first = argument(args, 0, "");
  bool applied = first.is(Kind::Function) || first.is(Kind::Class) || first.is(Kind::Wrapped);
  return applied ? first : run.builtin("decorator", identityFunction);
}

/// `@wraps(f)`: the function gets the name of `f`.
Value wraps(Interpreter &run, Value, Arguments &args) {
  return run.builtin(
      "decorator",
      [](Interpreter &inner, Value wrapped, Arguments &given) {
        Value function = argument(given, 0, "");
        if (!function.is(Kind::Function) || !wrapped.is(Kind::Function)) {
          return function;
        }
        auto *made = inner.heap().make<FunctionObject>();
        const uint64_t serial = made->serial;
        *made = function.as<FunctionObject>();
        made->serial = serial;
        made->name = wrapped.as<FunctionObject>().name;
        return Value::make(Kind::Function, made);
      },
      argument(args, 0, "wrapped"));
}

Value partial(Interpreter &run, Value, Arguments &args) {
  if (args.positional.empty()) {
    return run.unknown("`partial`", args.at);
  }
  auto *made = run.heap().make<PartialObject>();
  made->function = args.positional[0];
  made->keywords = args.keywords;
  if (made->function.is(Kind::Partial) && !made->function.as<PartialObject>().function.is(Kind::Ellipsis)) {
    // One of one is one, as functools has it.
    const auto &inner = made->function.as<PartialObject>();
    made->positional = inner.positional;
    for (const auto &[name, value] : inner.keywords) {
      bool given = std::any_of(args.keywords.begin(), args.keywords.end(),
                               [&, key = name](const auto &keyword) { return keyword.first == key; });
      if (!given) {
        made->keywords.emplace_back(name, value);
      }
    }
    made->function = inner.function;
  }
  made->positional.insert(made->positional.end(), args.positional.begin() + 1, args.positional.end());
  run.heap().charge(made->positional.size() * sizeof(Value));
  return run.spend(made->positional.size() / 8 + made->keywords.size()) ? Value::make(Kind::Partial, made)
                                                                        : run.tooMuch();
}

Value reduce(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterate(argument(args, 1, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  Value out = argument(args, 2, "");
  size_t first = 0;
  if (out.isRaised()) {
    if (items.empty()) {
      return run.raise("TypeError", "reduce() of empty iterable with no initial value", args.at);
    }
    out = items[first++];
  }
  for (size_t i = first; i < items.size() && !out.isLost(); ++i) {
    out = run.call(argument(args, 0, ""), {out, items[i]});
  }
  return out;
}

Value cachedProperty(Interpreter &run, Value, Arguments &args) {
  auto *made = run.heap().make<WrappedObject>();
  made->type = WrappedObject::Type::CachedProperty;
  made->function = argument(args, 0, "");
  return Value::make(Kind::Wrapped, made);
}

Value dataclassApply(Interpreter &run, Value, Arguments &args) {
  Value type = argument(args, 0, "");
  if (!type.is(Kind::Class) || !type.as<ClassObject>().definition) {
    return type;
  }
  run.makeDataclass(&type.as<ClassObject>(), &args);
  return type;
}

Value dataclass(Interpreter &run, Value self, Arguments &args) {
  if (!args.positional.empty()) {
    return dataclassApply(run, self, args);
  }
  auto *made = run.heap().make<PartialObject>();
  made->function = run.builtin("dataclass", dataclassApply);
  made->keywords = args.keywords;
  return Value::make(Kind::Partial, made);
}

Value field(Interpreter &run, Value, Arguments &args) {
  auto *made = run.heap().make<PartialObject>();
  made->function = Value::make(Kind::Ellipsis, nullptr);
  made->keywords = args.keywords;
  return Value::make(Kind::Partial, made);
}

/// A class whose missing comparisons follow from `__lt__` and `__eq__`.
Value totalOrdering(Interpreter &, Value, Arguments &args) {
  Value type = argument(args, 0, "");
  if (type.is(Kind::Class)) {
    type.as<ClassObject>().totalOrder = true;
  }
  return type;
}

Value replaceCall(Interpreter &run, Value, Arguments &args) {
  Value instance = argument(args, 0, "");
  return run.replaceFields(instance, args);
}

Value asDict(Interpreter &run, Value, Arguments &args) {
  return run.dataclassDict(argument(args, 0, "obj"), false, args.at);
}

Value asTuple(Interpreter &run, Value, Arguments &args) {
  return run.dataclassDict(argument(args, 0, "obj"), true, args.at);
}

Value isDataclass(Interpreter &, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  const ClassObject *type = value.is(Kind::Class)      ? &value.as<ClassObject>()
                            : value.is(Kind::Instance) ? value.as<InstanceObject>().type
                                                       : nullptr;
  return value.isUnknown() ? value : Value::ofBool(type && type->dataclass);
}

Value fieldsOf(Interpreter &run, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  const ClassObject *type = value.is(Kind::Class)      ? &value.as<ClassObject>()
                            : value.is(Kind::Instance) ? value.as<InstanceObject>().type
                                                       : nullptr;
  if (!type || !type->dataclass) {
    return value.isUnknown() ? value : run.unknown("`fields` of " + run.typeName(value), args.at);
  }
  std::vector<Value> out;
  for (const DataclassField &part : type->fields) {
    if (part.classVariable) {
      continue;
    }
    auto *made = run.heap().make<InstanceObject>();
    made->type = run.builtinClass("Field");
    made->attributes.set("name", {run.text(std::string(part.name)), {}, {}, true});
    if (!part.defaultValue.isRaised()) {
      made->attributes.set("default", {part.defaultValue, {}, {}, true});
    }
    out.push_back(Value::make(Kind::Instance, made));
  }
  return run.tuple(std::move(out));
}

Value copyValue(Interpreter &run, Value value, bool deep, std::map<Object *, Value> &made) {
  value = run.fetch(value);
  Interpreter::Deeper deeper(run);
  if (!deeper || !run.spend(1)) {
    return run.tooMuch();
  }
  bool holder = value.isSequence() || value.is(Kind::Dict) || value.is(Kind::Set) || value.is(Kind::Instance);
  if (!holder || made.size() > 10000) {
    return holder ? run.tooMuch() : value;
  }
  if (auto known = made.find(value.object); known != made.end()) {
    return known->second;
  }
  auto inner = [&](Value part) { return deep ? copyValue(run, part, deep, made) : part; };
  if (value.isSequence()) {
    if (!deep && value.is(Kind::Tuple)) {
      return value;
    }
    Value out = run.heap().sequence({}, value.kind);
    made[value.object] = out;
    for (Value item : std::vector<Value>(value.as<SequenceObject>().items)) {
      Value part = inner(item);
      out.as<SequenceObject>().items.push_back(part);
    }
    return out;
  }
  if (value.is(Kind::Instance)) {
    auto &from = value.as<InstanceObject>();
    if (from.type->isEnum || !from.type->definition) {
      return from.type->isEnum ? value : run.unknown("a copy of " + run.typeName(value));
    }
    auto *to = run.heap().make<InstanceObject>();
    to->type = from.type;
    made[value.object] = Value::make(Kind::Instance, to);
    to->items = from.items;
    for (const Namespace::Entry &entry : from.attributes.entries()) {
      Slot slot = entry.slot;
      slot.value = slot.present ? inner(slot.value) : slot.value;
      to->attributes.set(entry.name, slot);
    }
    return made[value.object];
  }
  Value out = Value::make(value.kind, run.heap().make<DictObject>());
  made[value.object] = out;
  for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(value.as<DictObject>().entries)) {
    Value problem;
    if (entry.live && !run.dictSet(out.as<DictObject>(), entry.key, inner(entry.value), problem)) {
      return problem;
    }
  }
  return out;
}

Value shallowCopy(Interpreter &run, Value, Arguments &args) {
  std::map<Object *, Value> made;
  return copyValue(run, argument(args, 0, ""), false, made);
}

Value deepCopy(Interpreter &run, Value, Arguments &args) {
  std::map<Object *, Value> made;
  return copyValue(run, argument(args, 0, ""), true, made);
}

Value getEnvironment(Interpreter &run, Value, Arguments &args) {
  run.assume();
  Value environment = run.libraryMember("os.environ");
  Value get = run.methodOf(environment, "get");
  return run.call(get, args);
}

Value product(Interpreter &run, Value, Arguments &args) {
  std::vector<std::vector<Value>> rows{{}};
  for (Value iterable : args.positional) {
    std::vector<Value> items;
    Value seen = run.iterate(iterable, items, args.at);
    if (!seen.isNone()) {
      return seen;
    }
    std::vector<std::vector<Value>> next;
    for (const std::vector<Value> &row : rows) {
      for (Value item : items) {
        next.push_back(row);
        next.back().push_back(item);
        if (!run.spend(row.size() + 1)) {
          return run.tooMuch();
        }
      }
    }
    rows = std::move(next);
  }
  if (!args.keywords.empty()) {
    return run.unknown("`product` with `repeat`", args.at);
  }
  std::vector<Value> out;
  for (std::vector<Value> &row : rows) {
    out.push_back(run.tuple(std::move(row)));
  }
  return run.heap().sequence(std::move(out), Kind::Iterator);
}

Value chain(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> out;
  for (Value iterable : args.positional) {
    Value seen = run.iterate(iterable, out, args.at);
    if (!seen.isNone()) {
      return seen;
    }
  }
  return run.heap().sequence(std::move(out), Kind::Iterator);
}

Value accumulate(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterate(argument(args, 0, ""), items, args.at);
  if (!seen.isNone() || args.positional.size() + args.keywords.size() != 1) {
    return seen.isNone() ? run.unknown("`accumulate` with a function", args.at) : seen;
  }
  for (size_t i = 1; i < items.size(); ++i) {
    items[i] = run.binary("+", items[i - 1], items[i], args.at);
    if (items[i].isLost()) {
      return items[i];
    }
  }
  return run.heap().sequence(std::move(items), Kind::Iterator);
}

Value insertPath(Interpreter &run, Arguments &args, size_t at, int64_t where) {
  Value folder = argument(args, at, "");
  Value shown = folder.isLost() ? folder : run.str(folder);
  if (shown.is(Kind::Str)) {
    run.searchPathInsert(where, textOf(shown));
  }
  return Value::none();
}

Value pathInsert(Interpreter &run, Value, Arguments &args) {
  Value where = argument(args, 0, "");
  return insertPath(run, args, 1, where.isSmall() ? where.integer : 0);
}

Value pathAppend(Interpreter &run, Value, Arguments &args) { return insertPath(run, args, 0, INT64_MAX); }

/// An object of a class of the library that carries what it was made with.
Value carrier(Interpreter &run, std::string_view name, const std::vector<library::Member> &members, Arguments &args) {
  auto *made = run.heap().make<InstanceObject>();
  made->type = library::makeClass(run, name, members);
  made->type->open = true;
  made->items = args.positional;
  return args.isOpen ? args.open : Value::make(Kind::Instance, made);
}

Value itself(Interpreter &, Value, Arguments &args) { return argument(args, 0, ""); }

/// `__exit__` of contextlib.suppress: whether what is raised is of one of its classes.
Value suppresses(Interpreter &run, Value, Arguments &args) {
  Value self = argument(args, 0, "");
  Value raised = argument(args, 1, "");
  if (!self.is(Kind::Instance) || !raised.is(Kind::Class)) {
    return Value::ofBool(false);
  }
  std::vector<Value> wanted = self.as<InstanceObject>().items;
  if (!wanted.empty() && wanted[0].is(Kind::Tuple)) {
    wanted = wanted[0].as<SequenceObject>().items;
  }
  Value out = Value::ofBool(false);
  for (Value type : wanted) {
    if (!type.is(Kind::Class)) {
      out = run.unknown("whether an exception is of a class that is not known", args.at);
    } else if (raised.as<ClassObject>().derives(&type.as<ClassObject>())) {
      return Value::ofBool(true);
    }
  }
  return out;
}

Value suppress(Interpreter &run, Value, Arguments &args) {
  return carrier(run, "suppress", {{"__enter__", itself}, {"__exit__", suppresses}}, args);
}

Value nullContext(Interpreter &run, Value, Arguments &args) {
  auto entered = [](Interpreter &, Value, Arguments &given) {
    Value self = argument(given, 0, "");
    bool holds = self.is(Kind::Instance) && !self.as<InstanceObject>().items.empty();
    return holds ? self.as<InstanceObject>().items[0] : Value::none();
  };
  return carrier(run, "nullcontext", {{"__enter__", entered}}, args);
}

Value castTo(Interpreter &, Value, Arguments &args) { return argument(args, 1, "val"); }

Value automatic(Interpreter &run, Value, Arguments &) { return run.foreign("enum.auto()"); }

struct Row {
  std::string_view path;
  BuiltinFunction function;
};

constexpr Row kFunctions[] = {
    {"functools.cache", transparent},
    {"functools.lru_cache", transparent},
    {"functools.total_ordering", totalOrdering},
    {"functools.wraps", wraps},
    {"functools.partial", partial},
    {"functools.reduce", reduce},
    {"functools.cached_property", cachedProperty},
    {"dataclasses.dataclass", dataclass},
    {"dataclasses.field", field},
    {"dataclasses.replace", replaceCall},
    {"dataclasses.asdict", asDict},
    {"dataclasses.astuple", asTuple},
    {"dataclasses.fields", fieldsOf},
    {"dataclasses.is_dataclass", isDataclass},
    {"copy.copy", shallowCopy},
    {"copy.deepcopy", deepCopy},
    {"os.getenv", getEnvironment},
    {"os.environ.get", getEnvironment},
    {"itertools.product", product},
    {"itertools.chain", chain},
    {"itertools.accumulate", accumulate},
    {"contextlib.suppress", suppress},
    {"contextlib.nullcontext", nullContext},
    {"pytest.raises", suppress},
    {"sys.path.insert", pathInsert},
    {"sys.path.append", pathAppend},
    {"typing.cast", castTo},
    {"enum.auto", automatic},
    {"enum.unique", identityFunction},
    {"typing.final", identityFunction},
    {"typing.runtime_checkable", identityFunction},
};

Value constant(Interpreter &run, std::string_view path) {
  if (path == "typing.TYPE_CHECKING") {
    return Value::ofBool(false);
  }
  if (path == "sys.maxsize") {
    return Value::ofInt(INT64_MAX);
  }
  if (path == "sys.argv") {
    run.assume();
    std::string name = run.entry() ? run.entry()->path : "";
    return run.list({run.text(name)});
  }
  if (path == "os.environ") {
    run.assume();
    return run.makeDict();
  }
  if (path == "os.sep") {
    return run.text("/");
  }
  if (path == "typing.NamedTuple" || path == "enum.Enum" || path == "enum.IntEnum" || path == "enum.StrEnum" ||
      path == "dataclasses.FrozenInstanceError") {
    return Value::make(Kind::Class, run.builtinClass(path.substr(path.rfind('.') + 1)));
  }
  return Value::raised();
}

} // namespace

Value Interpreter::libraryMember(std::string_view path) {
  auto known = libraryCache_.find(path);
  if (known != libraryCache_.end()) {
    if (path == "os.environ" || path == "sys.argv") {
      assume();
    }
    return known->second;
  }
  Value out = constant(*this, path);
  for (const Row &row : kFunctions) {
    if (row.path == path) {
      out = builtin(row.path.substr(row.path.rfind('.') + 1), row.function);
    }
  }
  if (out.isRaised()) {
    out = library::mathMember(*this, path);
  }
  if (out.isRaised()) {
    out = library::collectionsMember(*this, path);
  }
  if (out.isRaised()) {
    out = library::pathMember(*this, path);
  }
  if (out.isRaised()) {
    out = library::argparseMember(*this, path);
  }
  if (!out.isRaised()) {
    libraryCache_.emplace(std::string(path), out);
  }
  return out;
}

} // namespace placid::py
