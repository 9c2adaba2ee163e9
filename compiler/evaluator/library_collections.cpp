// SPDX-License-Identifier: Apache-2.0
// `collections` and `operator`: named tuples made by a call, dicts that make what they miss, counters, operators as
// functions. Apart from libraries.cpp because these make classes and containers of their own. Knows no statements.
#include "compiler/evaluator/builtin_support.h"
#include "compiler/evaluator/library_tables.h"

#include <algorithm>

namespace placid::py {

namespace {

using support::argument;

/// "a b, c" or a sequence of names; nullopt for anything else.
std::optional<std::vector<std::string>> fieldNames(Value given) {
  std::vector<std::string> out;
  if (given.is(Kind::Str)) {
    std::string word;
    for (char c : textOf(given) + " ") {
      if (c != ' ' && c != ',' && c != '\t' && c != '\n') {
        word += c;
      } else if (!word.empty()) {
        out.push_back(std::move(word));
        word.clear();
      }
    }
    return out;
  }
  if (!given.isSequence()) {
    return std::nullopt;
  }
  for (Value name : given.as<SequenceObject>().items) {
    if (!name.is(Kind::Str)) {
      return std::nullopt;
    }
    out.push_back(textOf(name));
  }
  return out;
}

Value namedTuple(Interpreter &run, Value, Arguments &args) {
  Value name = argument(args, 0, "typename");
  Value given = argument(args, 1, "field_names");
  Value defaults = argument(args, SIZE_MAX, "defaults");
  std::optional<std::vector<std::string>> names = fieldNames(given);
  bool known = name.is(Kind::Str) && names && (defaults.isRaised() || defaults.isNone() || defaults.isSequence()) &&
               argument(args, SIZE_MAX, "rename").isRaised();
  if (!known) {
    return run.unknown("a named tuple whose fields are not known", args.at);
  }
  auto *type = run.heap().make<ClassObject>();
  type->name = run.heap().intern(textOf(name));
  type->isNamedTuple = true;
  type->env = run.heap().make<Env>();
  type->env->type = Env::Type::Class;
  type->order = {type};
  const std::vector<ClassObject *> &base = run.builtinClass("NamedTuple")->order;
  type->order.insert(type->order.end(), base.begin(), base.end());
  size_t withDefault = defaults.isSequence() ? defaults.as<SequenceObject>().items.size() : 0;
  if (withDefault > names->size()) {
    return run.raise("TypeError", "Got more default values than field names", args.at);
  }
  for (size_t i = 0; i < names->size(); ++i) {
    DataclassField field;
    field.name = run.heap().intern((*names)[i]);
    field.factory = Value::raised();
    size_t first = names->size() - withDefault;
    field.defaultValue = i < first ? Value::raised() : defaults.as<SequenceObject>().items[i - first];
    bool twice = std::any_of(type->fields.begin(), type->fields.end(),
                             [&](const DataclassField &other) { return other.name == field.name; });
    if (twice || field.name.starts_with("_")) {
      return run.raise("ValueError",
                       twice ? "Encountered duplicate field name: '" + (*names)[i] + "'"
                             : "Field names cannot start with an underscore: '" + (*names)[i] + "'",
                       args.at);
    }
    type->fields.push_back(field);
  }
  return Value::make(Kind::Class, type);
}

Value defaultDict(Interpreter &run, Value, Arguments &args) {
  Value out = run.makeDict();
  Value factory = argument(args, 0, "");
  auto &dict = out.as<DictObject>();
  dict.type = run.builtinClass("defaultdict");
  dict.missing = factory.isRaised() ? Value::none() : factory;
  if (factory.isUnknown()) {
    return factory;
  }
  Arguments rest = args;
  if (!rest.positional.empty()) {
    rest.positional.erase(rest.positional.begin());
  }
  return support::updateDict(run, out, rest);
}

Value orderedDict(Interpreter &run, Value, Arguments &args) {
  Value out = run.makeDict();
  out.as<DictObject>().type = run.builtinClass("OrderedDict");
  return support::updateDict(run, out, args);
}

/// Adds what an iterable holds, or what a mapping counts, to a counter.
Value countInto(Interpreter &run, Value counter, Arguments &args) {
  auto &counts = counter.as<DictObject>();
  Value problem;
  auto add = [&](Value key, Value by) {
    const DictObject::Entry *known = run.dictFind(counts, key, problem);
    Value sum = known ? run.binary("+", known->value, by, args.at) : by;
    return problem.isNone() && !sum.isLost() && run.dictSet(counts, key, sum, problem);
  };
  auto lost = [&] { return problem.isNone() ? run.unknown("a count", args.at) : problem; };
  Value from = argument(args, 0, "");
  if (!from.isRaised() && !from.isNone()) {
    from = run.fetch(from);
    if (from.is(Kind::Dict)) {
      for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(from.as<DictObject>().entries)) {
        if (entry.live && !add(entry.key, entry.value)) {
          return lost();
        }
      }
    } else {
      std::vector<Value> items;
      Value seen = run.iterate(from, items, args.at);
      if (!seen.isNone()) {
        return seen;
      }
      for (Value item : items) {
        if (!add(item, Value::ofInt(1))) {
          return lost();
        }
      }
    }
  }
  for (const auto &[name, value] : args.keywords) {
    if (!add(run.text(std::string(name)), value)) {
      return lost();
    }
  }
  return Value::none();
}

Value counter(Interpreter &run, Value, Arguments &args) {
  Value out = run.makeDict();
  out.as<DictObject>().type = run.builtinClass("Counter");
  Value done = args.isOpen ? args.open : countInto(run, out, args);
  return done.isNone() ? out : done;
}

Value counterUpdate(Interpreter &run, Value self, Arguments &args) {
  run.touch(self.object);
  return countInto(run, self, args);
}

Value counterTotal(Interpreter &run, Value self, Arguments &args) {
  Value out = Value::ofInt(0);
  for (const DictObject::Entry &entry : self.as<DictObject>().entries) {
    out = entry.live && !out.isLost() ? run.binary("+", out, entry.value, args.at) : out;
  }
  return out;
}

/// The pairs with the largest counts first; equal ones in order of insertion.
Value mostCommon(Interpreter &run, Value self, Arguments &args) {
  std::vector<std::pair<int64_t, Value>> pairs;
  for (const DictObject::Entry &entry : self.as<DictObject>().entries) {
    if (entry.live && !entry.value.isSmall()) {
      return run.unknown("`most_common` of counts that are no small numbers", args.at);
    }
    if (entry.live) {
      pairs.emplace_back(entry.value.integer, run.tuple({entry.key, entry.value}));
    }
  }
  if (!run.spend(pairs.size() * 2)) {
    return run.tooMuch();
  }
  support::mergeSort(pairs, [](const auto &a, const auto &b) { return a.first > b.first; });
  Value most = argument(args, 0, "n");
  bool limited = most.isSmall() && most.integer >= 0;
  if (!limited && !most.isRaised() && !most.isNone()) {
    return run.unknown("`most_common`", args.at);
  }
  std::vector<Value> out;
  for (const auto &[count, pair] : pairs) {
    if (!limited || static_cast<int64_t>(out.size()) < most.integer) {
      out.push_back(pair);
    }
  }
  return run.list(std::move(out));
}

struct Operator {
  std::string_view name;
  std::string_view op;
};

constexpr Operator kBinary[] = {{"add", "+"}, {"sub", "-"},  {"mul", "*"},     {"truediv", "/"}, {"floordiv", "//"},
                                {"mod", "%"}, {"pow", "**"}, {"lshift", "<<"}, {"rshift", ">>"}, {"and_", "&"},
                                {"or_", "|"}, {"xor", "^"},  {"concat", "+"},  {"matmul", "@"}};
constexpr Operator kComparison[] = {{"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="}, {"eq", "=="}, {"ne", "!="}};
constexpr Operator kUnary[] = {{"neg", "-"}, {"pos", "+"}, {"invert", "~"}, {"not_", "not"}};

template <size_t N> std::string_view find(const Operator (&rows)[N], Value self) {
  auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Operator &r) { return r.name == textOf(self); });
  return row->op;
}

Value binaryOperator(Interpreter &run, Value self, Arguments &args) {
  return run.binary(find(kBinary, self), argument(args, 0, ""), argument(args, 1, ""), args.at);
}
Value comparisonOperator(Interpreter &run, Value self, Arguments &args) {
  return run.compare(find(kComparison, self), argument(args, 0, ""), argument(args, 1, ""), args.at);
}
Value unaryOperator(Interpreter &run, Value self, Arguments &args) {
  return run.unary(find(kUnary, self), argument(args, 0, ""), args.at);
}

Value itemGetter(Interpreter &run, Value, Arguments &args) {
  return run.builtin(
      "itemgetter",
      [](Interpreter &inner, Value keys, Arguments &given) {
        Value base = argument(given, 0, "");
        const std::vector<Value> &all = keys.as<SequenceObject>().items;
        std::vector<Value> out;
        for (Value key : all) {
          Value item = inner.subscript(base, key, given.at);
          if (item.isLost()) {
            return item;
          }
          out.push_back(item);
        }
        return all.size() == 1 ? out.front() : inner.tuple(std::move(out));
      },
      run.tuple(args.positional));
}

Value attributeGetter(Interpreter &run, Value, Arguments &args) {
  Value name = argument(args, 0, "");
  if (args.positional.size() != 1 || !name.is(Kind::Str) || textOf(name).find('.') != std::string::npos) {
    return run.unknown("`attrgetter`", args.at);
  }
  return run.builtin(
      "attrgetter",
      [](Interpreter &inner, Value self, Arguments &given) {
        return inner.attribute(argument(given, 0, ""), inner.heap().intern(textOf(self)), given.at);
      },
      name);
}

template <size_t N>
Value operatorMember(Interpreter &run, const Operator (&rows)[N], std::string_view name, BuiltinFunction function) {
  bool known = std::any_of(std::begin(rows), std::end(rows), [&](const Operator &row) { return row.name == name; });
  return known ? run.builtin(run.heap().intern(name), function, run.text(std::string(name))) : Value::raised();
}

} // namespace

/// Methods that dicts of `collections` have beside those of every dict; null when there is none.
BuiltinFunction collectionMethod(const DictObject &dict, std::string_view name) {
  if (!dict.type || dict.type->name != "Counter") {
    return nullptr;
  }
  return name == "most_common" ? mostCommon
         : name == "update"    ? counterUpdate
         : name == "total"     ? counterTotal
                               : nullptr;
}

Value library::collectionsMember(Interpreter &run, std::string_view path) {
  constexpr std::string_view kOperator = "operator.";
  if (path == "collections.namedtuple") {
    return run.builtin("namedtuple", namedTuple);
  }
  if (path == "collections.defaultdict" || path == "collections.Counter" || path == "collections.OrderedDict") {
    std::string_view name = path.substr(path.rfind('.') + 1);
    ClassObject *type = run.builtinClass(name);
    BuiltinFunction maker = name == "Counter" ? counter : name == "OrderedDict" ? orderedDict : defaultDict;
    type->env->names.set("__new__", {run.builtin(type->name, maker), {}, {}, true});
    return Value::make(Kind::Class, type);
  }
  if (!path.starts_with(kOperator)) {
    return Value::raised();
  }
  std::string_view name = path.substr(kOperator.size());
  if (name == "itemgetter" || name == "attrgetter") {
    return run.builtin(name == "itemgetter" ? "itemgetter" : "attrgetter",
                       name == "itemgetter" ? itemGetter : attributeGetter);
  }
  for (Value member :
       {operatorMember(run, kBinary, name, binaryOperator), operatorMember(run, kComparison, name, comparisonOperator),
        operatorMember(run, kUnary, name, unaryOperator)}) {
    if (!member.isRaised()) {
      return member;
    }
  }
  return Value::raised();
}

} // namespace placid::py
