// SPDX-License-Identifier: Apache-2.0
// Making instances; dataclasses, enumerations and named tuples.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// Whether an annotation is `name`, `module.name` or one of these with a subscript.
bool isAnnotation(const Expr *annotation, std::string_view name) {
  const Expr *at = annotation;
  while (at && at->kind == Expr::Kind::Subscript) {
    at = at->children[0];
  }
  return at && (at->kind == Expr::Kind::Name || at->kind == Expr::Kind::Attribute) && at->text == name;
}

Value option(const Arguments *arguments, std::string_view name) {
  for (const auto &[key, value] : arguments ? arguments->keywords : std::vector<std::pair<std::string_view, Value>>()) {
    if (key == name) {
      return value;
    }
  }
  return Value::raised();
}

} // namespace

/// What dataclasses.field(…) gives, until the class is made.
static bool isFieldMarker(Value value) {
  return value.is(Kind::Partial) && value.as<PartialObject>().function.is(Kind::Ellipsis);
}

void Interpreter::makeDataclass(ClassObject *type, Arguments *options) {
  Value frozen = option(options, "frozen");
  Value ordered = option(options, "order");
  Value compared = option(options, "eq");
  Value keywordOnly = option(options, "kw_only");
  auto on = [](Value value) { return value.is(Kind::Bool) && value.integer; };
  type->dataclass = true;
  type->frozen = on(frozen);
  type->ordered = on(ordered);
  type->comparesFields = !compared.is(Kind::Bool) || compared.integer;
  type->hashed = on(option(options, "unsafe_hash"));
  for (const Stmt *stmt : type->definition->body) {
    if (stmt->kind != Stmt::Kind::Assign || !stmt->annotation || stmt->targets.size() != 1 ||
        stmt->targets[0]->kind != Expr::Kind::Name) {
      continue;
    }
    DataclassField field;
    field.name = stmt->targets[0]->text;
    field.defaultValue = Value::raised();
    field.factory = Value::raised();
    if (isAnnotation(stmt->annotation, "KW_ONLY")) {
      keywordOnly = Value::ofBool(true); // what follows is by name alone
      continue;
    }
    field.keywordOnly = on(keywordOnly);
    field.classVariable = isAnnotation(stmt->annotation, "ClassVar");
    field.initOnly = isAnnotation(stmt->annotation, "InitVar");
    field.compared = field.shown = !field.initOnly;
    const Slot *slot = stmt->value ? type->env->names.find(field.name) : nullptr;
    if (slot && isFieldMarker(slot->value)) {
      for (const auto &[name, value] : slot->value.as<PartialObject>().keywords) {
        if (name == "default") {
          field.defaultValue = value;
        } else if (name == "default_factory") {
          field.factory = value;
        } else if (name == "init") {
          field.init = !value.is(Kind::Bool) || value.integer;
        } else if (name == "kw_only") {
          field.keywordOnly = on(value);
        } else if (name == "compare") {
          field.compared = !value.is(Kind::Bool) || value.integer;
        } else if (name == "repr") {
          field.shown = !value.is(Kind::Bool) || value.integer;
        }
      }
      Slot changed = *slot;
      changed.present = !field.defaultValue.isRaised();
      changed.value = field.defaultValue;
      type->env->names.set(field.name, changed);
    } else if (slot) {
      field.defaultValue = slot->value;
    }
    auto known = std::find_if(type->fields.begin(), type->fields.end(),
                              [&](const DataclassField &other) { return other.name == field.name; });
    if (known != type->fields.end()) {
      *known = field;
    } else {
      type->fields.push_back(field);
    }
  }
}

namespace {

/// `_x_` and `__x__`: names that are no members.
bool isReserved(std::string_view name) { return name.size() > 2 && name.starts_with('_') && name.ends_with('_'); }

} // namespace

bool Interpreter::finishEnum(ClassObject *type) {
  const Slot *init = classAttribute(type, "__init__");
  const Slot *maker = type->env->names.find("__new__"); // its own: values may be anything
  bool texts = std::any_of(type->order.begin(), type->order.end(),
                           [](const ClassObject *base) { return !base->definition && base->name == "str"; });
  bool strings = type->derives(builtinClass("StrEnum"));
  bool numbers = type->derives(builtinClass("int"));
  bool counts = true; // whether every version of Python goes on counting from the last value
  int64_t last = 0;
  const std::vector<Namespace::Entry> bound = type->env->names.entries();
  for (const Namespace::Entry &entry : bound) {
    Value value = entry.slot.value;
    bool descriptor = value.is(Kind::Function) || value.is(Kind::Wrapped) || value.is(Kind::Builtin);
    if (!entry.slot.present || isReserved(entry.name) || descriptor) {
      continue;
    }
    Slot changed = entry.slot;
    if (entry.name.starts_with("__") || value.is(Kind::Class) || value.is(Kind::Partial) || value.is(Kind::Method)) {
      changed.value = unknown("whether `" + std::string(entry.name) + "` is a member depends on Python's version");
      type->env->names.set(entry.name, changed);
      continue;
    }
    if (value.is(Kind::Foreign) && textOf(value) == "enum.auto()") {
      std::string lower(entry.name);
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      bool own = classAttribute(type, "_generate_next_value_") != nullptr;
      value = own || (texts && !strings) ? unknown("what `auto()` gives here")
              : strings                  ? heap_.text(std::move(lower))
              : counts                   ? Value::ofInt(last + 1)
                                         : unknown("what `auto()` gives depends on Python's version");
    }
    if (maker) {
      value = unknown("the value of `" + std::string(entry.name) + "`, which `__new__` makes");
    }
    if (numbers && !value.isUnknown()) {
      value = enumValue(value);
      value = value.isInteger() ? unary("+", value) : unknown("the value of `" + std::string(entry.name) + "`");
    } else if (texts && !value.isUnknown()) {
      value = enumValue(value);
      value = value.is(Kind::Str) ? value : unknown("the value of `" + std::string(entry.name) + "`");
    }
    counts = counts && value.isSmall() && value.integer >= last && value.integer < INT64_MAX;
    last = value.isSmall() ? value.integer : last;
    Value made;
    for (Value member : type->members) {
      Value same = sameItem(member.as<InstanceObject>().items[0], value);
      made = same.is(Kind::Bool) && same.integer ? member : made; // an alias
    }
    if (!made.is(Kind::Instance)) {
      auto *member = heap_.make<InstanceObject>();
      member->type = type;
      member->items = {value, text(std::string(entry.name))};
      made = Value::make(Kind::Instance, member);
      type->members.push_back(made);
      if (init && init->value.is(Kind::Function)) {
        Arguments arguments;
        arguments.positional = value.is(Kind::Tuple) ? value.as<SequenceObject>().items : std::vector<Value>{value};
        if (call(bindMember(init->value, made, type), arguments).isRaised()) {
          return false;
        }
      }
    }
    changed.value = made;
    type->env->names.set(entry.name, changed);
  }
  type->open = type->open || maker;
  return true;
}

Value Interpreter::enumMember(ClassObject *type, Arguments &arguments) {
  if (arguments.positional.size() == 1) {
    if (arguments.positional[0].is(Kind::Instance) && arguments.positional[0].as<InstanceObject>().type == type) {
      return arguments.positional[0];
    }
    if (classAttribute(type, "_missing_")) {
      return unknown("a call of the enumeration `" + std::string(type->name) + "`", arguments.at);
    }
    for (Value member : type->members) {
      Value same = sameItem(member.as<InstanceObject>().items[0], arguments.positional[0]);
      if (same.isLost() || same.integer) {
        return same.isLost() ? same : member;
      }
    }
    Value shown = repr(arguments.positional[0]);
    return raise("ValueError",
                 (shown.is(Kind::Str) ? textOf(shown) : "this") + " is not a valid " + std::string(type->name),
                 arguments.at);
  }
  return unknown("a call of the enumeration `" + std::string(type->name) + "`", arguments.at);
}

/// Fields of a dataclass or a named tuple from the arguments of its call. Raised or lost where that fails; what is for
/// `__post_init__` alone goes to `forPost`.
Value Interpreter::fillFields(ClassObject *type, InstanceObject &instance, Arguments &arguments,
                              std::vector<Value> &forPost) {
  size_t next = 0;
  std::vector<bool> used(arguments.keywords.size(), false);
  for (const DataclassField &field : type->fields) {
    if (field.classVariable) {
      continue;
    }
    Value value = Value::raised();
    if (field.init) {
      if (!field.keywordOnly && next < arguments.positional.size()) {
        value = arguments.positional[next++];
      }
      for (size_t i = 0; i < arguments.keywords.size(); ++i) {
        if (arguments.keywords[i].first == field.name) {
          value = arguments.keywords[i].second;
          used[i] = true;
        }
      }
    }
    if (value.isRaised() && arguments.isOpen && field.init) {
      value = arguments.open;
    }
    if (value.isRaised()) {
      value = field.factory.isRaised() ? field.defaultValue : call(field.factory, std::vector<Value>());
      if (value.isRaised() && !field.factory.isRaised()) {
        return value;
      }
    }
    if (value.isRaised()) {
      if (!field.init) {
        continue; // __post_init__ sets it
      }
      return raise("TypeError",
                   std::string(type->name) + "() missing 1 required argument: '" + std::string(field.name) + "'",
                   arguments.at);
    }
    if (field.initOnly) {
      forPost.push_back(value);
      continue;
    }
    source::ByteRange at = arguments.at ? arguments.at->range : source::ByteRange();
    instance.attributes.set(field.name, {value, at, {currentTree(), at}, true});
    if (type->isNamedTuple) {
      instance.items.push_back(value);
    }
  }
  auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    return raise("TypeError",
                 std::string(type->name) + "() got an unexpected keyword argument '" +
                     std::string(arguments.keywords[static_cast<size_t>(unused - used.begin())].first) + "'",
                 arguments.at);
  }
  if (next < arguments.positional.size() && !arguments.isOpen) {
    return raise("TypeError", std::string(type->name) + "() takes fewer positional arguments", arguments.at);
  }
  return Value::ofBool(true);
}

Value Interpreter::instantiate(ClassObject *type, Arguments &arguments) {
  if (!type->definition && !type->isException && !(type->isNamedTuple && !type->fields.empty())) {
    const Slot *maker = type->env ? type->env->names.find("__new__") : nullptr;
    return maker ? call(maker->value, arguments) : unknown("a call of `" + std::string(type->name) + "`", arguments.at);
  }
  if (type->isEnum) {
    return enumMember(type, arguments);
  }
  auto *instance = heap_.make<InstanceObject>();
  instance->type = type;
  Value self = Value::make(Kind::Instance, instance);
  if (type->isException) {
    instance->items = arguments.positional;
    const Slot *init = classAttribute(type, "__init__");
    if (init && init->value.is(Kind::Function)) {
      Value done = call(bindMember(init->value, self, type), arguments);
      return done.isRaised() ? done : self;
    }
    return self;
  }
  if (const Slot *maker = classAttribute(type, "__new__"); maker && !maker->value.is(Kind::Builtin)) {
    return unknown("an object of `" + std::string(type->name) + "`, which its `__new__` makes", arguments.at);
  }
  if (const Slot *init = classAttribute(type, "__init__")) {
    Value done = call(bindMember(init->value, self, type), arguments);
    return done.isLost() ? done : self;
  }
  if (!type->dataclass && !type->isNamedTuple) {
    if (type->open) {
      return unknown("an object of `" + std::string(type->name) + "`, a base of which is not known", arguments.at);
    }
    return arguments.positional.empty() && arguments.keywords.empty()
               ? self
               : raise("TypeError", std::string(type->name) + "() takes no arguments", arguments.at);
  }
  std::vector<Value> forPost;
  if (Value filled = fillFields(type, *instance, arguments, forPost); filled.isLost()) {
    return filled;
  }
  if (const Slot *post = type->dataclass ? classAttribute(type, "__post_init__") : nullptr) {
    bool frozen = type->frozen;
    Value done = call(bindMember(post->value, self, type), std::move(forPost));
    type->frozen = frozen;
    if (done.isLost()) {
      return done;
    }
  }
  return self;
}

Value Interpreter::replaceFields(Value value, Arguments &changes) {
  if (!value.is(Kind::Instance) || !value.as<InstanceObject>().type->dataclass) {
    return value.isUnknown() ? value : unknown("`replace` of " + typeName(value), changes.at);
  }
  auto &instance = value.as<InstanceObject>();
  Arguments all;
  all.at = changes.at;
  all.keywords = changes.keywords;
  all.isOpen = changes.isOpen;
  all.open = changes.open;
  for (const DataclassField &field : instance.type->fields) {
    bool changed = std::any_of(changes.keywords.begin(), changes.keywords.end(),
                               [&](const auto &keyword) { return keyword.first == field.name; });
    const Slot *slot = instance.attributes.find(field.name);
    if (!changed && field.init && !field.classVariable && slot) {
      all.keywords.emplace_back(field.name, slot->value);
    }
  }
  return instantiate(instance.type, all);
}

Value Interpreter::dataclassDict(Value value, bool asTuple, const Expr *at) {
  value = fetch(value);
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  if (value.isSequence()) {
    std::vector<Value> out;
    for (Value item : std::vector<Value>(value.as<SequenceObject>().items)) {
      out.push_back(dataclassDict(item, asTuple, at));
    }
    return heap_.sequence(std::move(out), value.kind);
  }
  if (!value.is(Kind::Instance) || !value.as<InstanceObject>().type->dataclass) {
    return value;
  }
  auto &instance = value.as<InstanceObject>();
  Value dict = makeDict();
  std::vector<Value> items;
  for (const DataclassField &field : instance.type->fields) {
    const Slot *slot = field.classVariable ? nullptr : instance.attributes.find(field.name);
    if (slot) {
      Value problem;
      Value inner = dataclassDict(slot->value, asTuple, at);
      items.push_back(inner);
      dictSet(dict.as<DictObject>(), text(std::string(field.name)), inner, problem);
    }
  }
  return asTuple ? tuple(std::move(items)) : dict;
}

} // namespace placid::py
