// SPDX-License-Identifier: Apache-2.0
// Built-ins about values themselves: isinstance, getattr, type, property and the like; methods that every class or
// named tuple has.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

BuiltinFunction instanceMethod(Value base, std::string_view name);

namespace {

using support::argument;

Value isInstance(Interpreter &run, Value, Arguments &args) {
  Value value = run.fetch(argument(args, 0, ""));
  Value type = argument(args, 1, "");
  std::vector<Value> types{type};
  if (type.is(Kind::Tuple)) {
    types = type.as<SequenceObject>().items;
  }
  if (value.isUnknown()) {
    return value;
  }
  ClassObject *own = run.typeOf(value);
  Value out = Value::ofBool(false);
  for (Value candidate : types) {
    if (!candidate.is(Kind::Class)) {
      out = candidate.isUnknown() ? candidate : run.unknown("whether a value is of a type that is not known", args.at);
    } else if (own && own->derives(&candidate.as<ClassObject>())) {
      return Value::ofBool(true);
    } else if (!own || own->open) {
      out = run.unknown("the type of " + run.typeName(value), args.at);
    }
  }
  return out;
}

Value isSubclass(Interpreter &run, Value, Arguments &args) {
  Value a = argument(args, 0, "");
  Value b = argument(args, 1, "");
  if (!a.is(Kind::Class) || !b.is(Kind::Class)) {
    return run.unknown("`issubclass`", args.at);
  }
  bool derives = a.as<ClassObject>().derives(&b.as<ClassObject>());
  return !derives && a.as<ClassObject>().open ? run.unknown("`issubclass`", args.at) : Value::ofBool(derives);
}

Value getAttribute(Interpreter &run, Value, Arguments &args) {
  Value base = argument(args, 0, "");
  Value name = argument(args, 1, "");
  if (base.isUnknown() || !name.is(Kind::Str)) {
    return base.isUnknown() ? base : name.isUnknown() ? name : run.unknown("`getattr`", args.at);
  }
  if (args.positional.size() < 3) {
    return run.attribute(base, run.heap().intern(textOf(name)), args.at);
  }
  return run.attributeOr(base, run.heap().intern(textOf(name)), args.positional[2], args.at);
}

Value hasAttribute(Interpreter &run, Value, Arguments &args) {
  Value base = argument(args, 0, "");
  Value name = argument(args, 1, "");
  if (base.isUnknown() || !name.is(Kind::Str)) {
    return base.isUnknown() ? base : run.unknown("`hasattr`", args.at);
  }
  if (base.is(Kind::Foreign) || base.is(Kind::Pl) || base.is(Kind::Tensor)) {
    return run.unknown("`hasattr` of " + run.typeName(base), args.at);
  }
  Value missing = Value::make(Kind::Ellipsis, nullptr);
  Value found = run.attributeOr(base, run.heap().intern(textOf(name)), missing, args.at);
  return found.isRaised() ? found : found.isUnknown() ? found : Value::ofBool(!found.is(Kind::Ellipsis));
}

Value setAttributeCall(Interpreter &run, Value, Arguments &args) {
  Value name = argument(args, 1, "");
  if (!name.is(Kind::Str)) {
    return run.unknown("`setattr`", args.at);
  }
  Value base = argument(args, 0, "");
  Value value = argument(args, 2, "");
  if (base.isRaised() || value.isRaised()) {
    return Value::raised();
  }
  source::ByteRange at = args.at ? args.at->range : source::ByteRange();
  return run.setAttribute(base, run.heap().intern(textOf(name)), value, at);
}

/// object.__setattr__: also for frozen dataclasses.
Value objectSetAttribute(Interpreter &run, Value, Arguments &args) {
  Value self = argument(args, 0, "");
  Value name = argument(args, 1, "");
  Value value = argument(args, 2, "");
  if (!self.is(Kind::Instance) || !name.is(Kind::Str) || value.isRaised()) {
    return run.unknown("`object.__setattr__`", args.at);
  }
  source::ByteRange at = args.at ? args.at->range : source::ByteRange();
  run.noteChange(self.object);
  run.setSlot(self.as<InstanceObject>().attributes, run.heap().intern(textOf(name)),
              {value, at, {run.currentTree(), at}, true});
  return Value::none();
}

Value variablesOf(Interpreter &run, Value, Arguments &args) {
  Value base = run.fetch(argument(args, 0, ""));
  return base.is(Kind::Instance) ? run.attribute(base, "__dict__", args.at) : run.unknown("`vars`", args.at);
}

/// A dict that shows the names of the module; setting an item sets the name.
Value globalNames(Interpreter &run, Value, Arguments &args) {
  ModuleObject *module = run.currentModule();
  if (!module || !run.spend(module->env->names.entries().size())) {
    return run.unknown("`globals()`", args.at);
  }
  Value out = run.makeDict();
  Value problem;
  for (const Namespace::Entry &entry : module->env->names.entries()) {
    if (entry.slot.present) {
      run.dictSet(out.as<DictObject>(), run.text(std::string(entry.name)), entry.slot.value, problem);
    }
  }
  out.as<DictObject>().shows = Value::make(Kind::Module, module);
  return out;
}

Value typeCall(Interpreter &run, Value, Arguments &args) {
  Value value = run.fetch(argument(args, 0, ""));
  if (args.positional.size() != 1 || value.isUnknown()) {
    return value.isUnknown() ? value : run.unknown("a class that is made by `type`", args.at);
  }
  ClassObject *type = run.typeOf(value);
  return type ? Value::make(Kind::Class, type) : run.unknown("the type of " + run.typeName(value), args.at);
}

Value wrap(Interpreter &run, Arguments &args, WrappedObject::Type type) {
  auto *made = run.heap().make<WrappedObject>();
  made->type = type;
  made->function = argument(args, 0, "fget");
  return made->function.isLost() ? run.unknown("a property", args.at) : Value::make(Kind::Wrapped, made);
}

Value makeProperty(Interpreter &run, Value, Arguments &args) { return wrap(run, args, WrappedObject::Type::Property); }
Value makeClassMethod(Interpreter &run, Value, Arguments &args) {
  return wrap(run, args, WrappedObject::Type::ClassMethod);
}
Value makeStaticMethod(Interpreter &run, Value, Arguments &args) {
  return wrap(run, args, WrappedObject::Type::StaticMethod);
}

Value makeIterator(Interpreter &run, Value, Arguments &args) {
  Value value = run.fetch(argument(args, 0, ""));
  return args.positional.size() > 1 ? run.unknown("`iter` with a sentinel", args.at) : run.iteratorOf(value, args.at);
}

Value makeNext(Interpreter &run, Value, Arguments &args) {
  Value value = run.fetch(argument(args, 0, ""));
  if (!value.is(Kind::Iterator)) {
    return value.isUnknown() ? value : run.unknown("`next` of " + run.typeName(value), args.at);
  }
  Value item;
  if (run.pull(value.as<SequenceObject>(), item) != Interpreter::Pull::End) {
    return item;
  }
  return args.positional.size() > 1 ? args.positional[1] : run.raise("StopIteration", "", args.at);
}

Value isCallable(Interpreter &run, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  bool yes = value.is(Kind::Function) || value.is(Kind::Method) || value.is(Kind::Builtin) || value.is(Kind::Class) ||
             value.is(Kind::Partial) || value.is(Kind::Kernel);
  bool no = value.isNone() || value.isNumber() || value.is(Kind::Str) || value.isSequence() || value.is(Kind::Dict);
  return yes || no ? Value::ofBool(yes) : run.unknown("whether a value can be called", args.at);
}

Value namedAsDict(Interpreter &run, Value self, Arguments &) {
  Value out = run.makeDict();
  auto &instance = self.as<InstanceObject>();
  Value problem;
  for (size_t i = 0; i < instance.type->fields.size() && i < instance.items.size(); ++i) {
    run.dictSet(out.as<DictObject>(), run.text(std::string(instance.type->fields[i].name)), instance.items[i], problem);
  }
  return out;
}

Value namedReplace(Interpreter &run, Value self, Arguments &args) {
  auto &instance = self.as<InstanceObject>();
  Arguments all;
  all.at = args.at;
  for (size_t i = 0; i < instance.type->fields.size() && i < instance.items.size(); ++i) {
    Value changed = argument(args, SIZE_MAX, instance.type->fields[i].name);
    all.positional.push_back(changed.isRaised() ? instance.items[i] : changed);
  }
  return run.instantiate(instance.type, all);
}

Value namedMake(Interpreter &run, Value self, Arguments &args) {
  Arguments all;
  all.at = args.at;
  Value seen = run.iterate(argument(args, 0, ""), all.positional, args.at);
  return seen.isNone() ? run.instantiate(&self.as<ClassObject>(), all) : seen;
}

} // namespace

BuiltinFunction instanceMethod(Value base, std::string_view name) {
  if (base.is(Kind::Instance) && base.as<InstanceObject>().type->isNamedTuple) {
    return name == "_asdict" ? namedAsDict : name == "_replace" ? namedReplace : nullptr;
  }
  if (base.is(Kind::Class) && base.as<ClassObject>().isNamedTuple && name == "_make") {
    return namedMake;
  }
  return nullptr;
}

void support::addReflection(Interpreter &run, const std::function<void(std::string_view, Value)> &add) {
  struct Row {
    std::string_view name;
    BuiltinFunction function;
  };
  static constexpr Row kRows[] = {
      {"isinstance", isInstance},
      {"issubclass", isSubclass},
      {"getattr", getAttribute},
      {"hasattr", hasAttribute},
      {"setattr", setAttributeCall},
      {"type", typeCall},
      {"property", makeProperty},
      {"classmethod", makeClassMethod},
      {"staticmethod", makeStaticMethod},
      {"iter", makeIterator},
      {"next", makeNext},
      {"callable", isCallable},
      {"vars", variablesOf},
      {"globals", globalNames},
  };
  for (const Row &row : kRows) {
    add(row.name, run.builtin(row.name, row.function));
  }
  add("Ellipsis", Value::make(Kind::Ellipsis, nullptr));
  ClassObject *object = run.builtinClass("object");
  object->env->names.set("__setattr__", {run.builtin("__setattr__", objectSetAttribute), {}, {}, true});
}

} // namespace placid::py
