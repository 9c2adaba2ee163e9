// SPDX-License-Identifier: Apache-2.0
// Attributes: of modules, instances, classes, and the names of PL.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;

const Slot *Interpreter::classAttribute(const ClassObject *type, std::string_view name) const {
  for (const ClassObject *at : type->order) {
    if (const Slot *found = at->env ? at->env->names.find(name) : nullptr) {
      return found;
    }
  }
  return nullptr;
}

Value Interpreter::bindMember(Value member, Value self, ClassObject *type) {
  if (member.is(Kind::Function) || member.is(Kind::Builtin)) {
    bool ofClass = member.is(Kind::Function) && (member.as<FunctionObject>().name == "__init_subclass__" ||
                                                 member.as<FunctionObject>().name == "__class_getitem__");
    if (ofClass) { // a class method, also without the decorator
      self = Value::make(Kind::Class, type);
    } else if (!self.is(Kind::Instance)) {
      return member;
    }
    auto *method = heap_.make<MethodObject>();
    method->function = member;
    method->self = self;
    return Value::make(Kind::Method, method);
  }
  if (member.is(Kind::Wrapped)) {
    auto &wrapped = member.as<WrappedObject>();
    switch (wrapped.type) {
    case WrappedObject::Type::StaticMethod:
      return wrapped.function;
    case WrappedObject::Type::ClassMethod: {
      auto *method = heap_.make<MethodObject>();
      method->function = wrapped.function;
      method->self = Value::make(Kind::Class, type);
      return Value::make(Kind::Method, method);
    }
    case WrappedObject::Type::Property:
    case WrappedObject::Type::CachedProperty:
      return self.is(Kind::Instance) ? call(wrapped.function, {self}) : member;
    }
  }
  if (member.is(Kind::Instance) && classAttribute(member.as<InstanceObject>().type, "__get__")) {
    return unknown("what a descriptor of `" + std::string(type->name) + "` gives");
  }
  return fetch(member);
}

Value Interpreter::dunder(Value self, std::string_view name, std::vector<Value> arguments, bool &found) {
  ClassObject *type = self.as<InstanceObject>().type;
  const Slot *slot = classAttribute(type, name);
  found = slot && (slot->value.is(Kind::Function) || slot->value.is(Kind::Builtin));
  if (!found) {
    return Value();
  }
  Value out = call(bindMember(slot->value, self, type), std::move(arguments));
  found = !(out.is(Kind::Foreign) && textOf(out) == "builtins.NotImplemented");
  return found ? out : Value();
}

Value Interpreter::moduleAttribute(ModuleObject &module, std::string_view name, const Expr *at) {
  if (const Slot *found = module.env->names.find(name)) {
    return fetch(found->value);
  }
  if (name == "__file__" && !module.path.empty()) {
    return text(absolute(module.path));
  }
  if (module.env->open) {
    return module.env->others;
  }
  if (name.starts_with("__") || module.state == ModuleObject::State::Failed) {
    return unknown("`" + module.name + "." + std::string(name) + "`", at);
  }
  if (&module == entry_ && module.state == ModuleObject::State::Loading) {
    // For Python the entry is a module of another name, and this import runs its text a second time.
    return unknown("`" + std::string(name) + "` of the entry, which another module imports while it runs", at);
  }
  return raise("AttributeError",
               module.state == ModuleObject::State::Loading
                   ? "partially initialized module '" + module.name + "' has no attribute '" + std::string(name) +
                         "' (most likely due to a circular import)"
                   : "module '" + module.name + "' has no attribute '" + std::string(name) + "'",
               at);
}

Value Interpreter::instanceAttribute(Value base, std::string_view name, const Expr *at) {
  auto &instance = base.as<InstanceObject>();
  ClassObject *type = instance.type;
  const Slot *inClass = classAttribute(type, name);
  bool data = inClass && inClass->value.is(Kind::Wrapped) &&
              inClass->value.as<WrappedObject>().type == WrappedObject::Type::Property;
  if (type->opaque) {
    return unknown("an attribute of a `" + std::string(type->name) + "`, whose class looks them up itself", at);
  }
  if (const Slot *own = data ? nullptr : instance.attributes.find(name)) {
    return fetch(own->value);
  }
  if (inClass) {
    bool cached = inClass->value.is(Kind::Wrapped) &&
                  inClass->value.as<WrappedObject>().type == WrappedObject::Type::CachedProperty;
    const Value outer = exception_;
    const bool raisedBefore = raisedNow_;
    Value out = bindMember(inClass->value, base, type);
    if (out.isRaised() && raises("AttributeError")) { // then `__getattr__` is asked
      const Value inner = exception_;
      exception_ = outer;
      bool asked = false;
      Value instead = dunder(base, "__getattr__", {text(std::string(name))}, asked);
      raisedNow_ = asked ? raisedBefore || instead.isRaised() : raisedNow_;
      exception_ = asked ? exception_ : inner;
      out = asked ? instead : out;
    }
    if (cached && !out.isLost()) {
      setSlot(instance.attributes, name, {out, {}, {}, true});
    }
    return out;
  }
  if (type->isEnum && (name == "value" || name == "name")) {
    return instance.items[name == "value" ? 0 : 1];
  }
  if (type->isException && name == "args") {
    return tuple(instance.items);
  }
  if (name == "__class__") {
    return Value::make(Kind::Class, type);
  }
  if (name == "__dict__") {
    Value out = makeDict();
    out.as<DictObject>().shows = base;
    Value problem;
    for (const Namespace::Entry &entry : instance.attributes.entries()) {
      if (entry.slot.present) {
        dictSet(out.as<DictObject>(), text(std::string(entry.name)), entry.slot.value, problem);
      }
    }
    return out;
  }
  if (type->isNamedTuple && (name == "count" || name == "index")) {
    return methodOf(tuple(instance.items), name);
  }
  if (type->isNamedTuple && (name == "_fields" || name == "_asdict" || name == "_replace")) {
    Value method = methodOf(base, name);
    return method.isRaised() ? unknown("`" + std::string(name) + "`", at) : method;
  }
  bool found = false;
  Value out = dunder(base, "__getattr__", {text(std::string(name))}, found);
  if (found) {
    return out;
  }
  if (type->open || type->program || name.starts_with("__") || (type->isEnum && name.starts_with('_'))) {
    return unknown("the attribute `" + std::string(name) + "` of a `" + std::string(type->name) + "`", at);
  }
  return raise("AttributeError",
               "'" + std::string(type->name) + "' object has no attribute '" + std::string(name) + "'", at);
}

Value Interpreter::classMember(ClassObject *type, std::string_view name, const Expr *at) {
  if (type->opaque) {
    return unknown("an attribute of `" + std::string(type->name) + "`, whose class looks them up itself", at);
  }
  if (const Slot *found = classAttribute(type, name)) {
    return bindMember(found->value, Value::make(Kind::Class, type), type);
  }
  if (name == "__name__" || name == "__qualname__") {
    return text(std::string(type->name));
  }
  if (type->isEnum && name == "__members__") {
    Value out = makeDict();
    Value problem;
    for (Value member : type->members) {
      dictSet(out.as<DictObject>(), member.as<InstanceObject>().items[1], member, problem);
    }
    return out;
  }
  if (name == "__dataclass_fields__" && type->dataclass) {
    return unknown("`__dataclass_fields__`", at);
  }
  if (name == "_fields" && type->isNamedTuple) {
    std::vector<Value> names;
    for (const DataclassField &field : type->fields) {
      names.push_back(text(std::string(field.name)));
    }
    return tuple(std::move(names));
  }
  Value method = methodOf(Value::make(Kind::Class, type), name);
  if (!method.isRaised()) {
    return method;
  }
  const bool ofMetaclass = name == "register" || name == "mro" || (type->isEnum && name.starts_with('_'));
  if (type->open || type->program || !type->definition || ofMetaclass || name.starts_with("__")) {
    return unknown("`" + std::string(type->name) + "." + std::string(name) + "`", at);
  }
  return raise("AttributeError",
               "type object '" + std::string(type->name) + "' has no attribute '" + std::string(name) + "'", at);
}

Value Interpreter::plAttribute(Value base, std::string_view name) {
  const std::string &path = textOf(base);
  if (std::optional<std::string> member = dialect_.member(path, name)) {
    return heap_.text(std::move(*member), Kind::Pl);
  }
  if (path.size() + name.size() > 512) {
    return unknown("`" + path.substr(0, 80) + "…`");
  }
  return heap_.text(path + "." + std::string(name), Kind::Pl);
}

namespace {

/// Values of these types have the attributes that Python gives the type, and no other.
bool isClosed(Value base) {
  return base.isNone() || base.isNumber() || base.is(Kind::Str) || base.isSequence() ||
         (base.is(Kind::Dict) && !base.as<DictObject>().type);
}

/// Whether a method that is not followed may change the list, dict or set whose it is.
bool mayChange(Value base, std::string_view name) {
  static constexpr std::string_view kReaders[] = {
      "fromkeys",    "isdisjoint", "issuperset",        "__class__", "__contains__", "__doc__",    "__eq__",
      "__getitem__", "__iter__",   "__len__",           "__repr__",  "__str__",      "__hash__",   "__reversed__",
      "__add__",     "__mul__",    "__class_getitem__", "elements",  "total",        "most_common"};
  bool holder = base.is(Kind::List) || base.is(Kind::Dict) || base.is(Kind::Set) || base.is(Kind::Iterator);
  return holder && std::find(std::begin(kReaders), std::end(kReaders), name) == std::end(kReaders);
}

/// Whether Python's own type has that attribute, as far as the name has no underscores around it.
bool isMemberOf(Kind kind, std::string_view name) {
  std::string_view names;
  switch (kind) {
  case Kind::Bool:
  case Kind::Int:
  case Kind::Big:
    names = " as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real "
            "to_bytes ";
    break;
  case Kind::Float:
    names = " as_integer_ratio conjugate fromhex hex imag is_integer real from_number ";
    break;
  case Kind::Str:
    names = " capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha "
            "isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust "
            "lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit "
            "rstrip split splitlines startswith strip swapcase title translate upper zfill ";
    break;
  case Kind::List:
    names = " append clear copy count extend index insert pop remove reverse sort ";
    break;
  case Kind::Tuple:
    names = " count index ";
    break;
  case Kind::Dict:
    names = " clear copy fromkeys get items keys pop popitem setdefault update values ";
    break;
  default:
    return false;
  }
  return names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

} // namespace

Value Interpreter::libraryAttribute(Value base, std::string_view name, const Expr *at) {
  std::string path = textOf(base) + "." + std::string(name);
  std::string_view prefix = dialect_.prefixOf(path);
  if (!prefix.empty()) { // `import pypto.language` without `as`
    return heap_.text(std::string(prefix), Kind::Pl);
  }
  Value known = libraryMember(path);
  if (!known.isRaised()) {
    return known;
  }
  return path.size() > 4096 ? unknown("a name that is too long", at) : foreign(std::move(path));
}

Value Interpreter::kernelAttribute(Value base, std::string_view name) {
  if (name == "__name__") {
    return text(std::string(base.as<KernelObject>().function->name));
  }
  auto *method = heap_.make<MethodObject>();
  method->self = base;
  method->function = builtin(name == "compile" || name == "lower" ? name : std::string_view("other"),
                             [](Interpreter &run, Value, Arguments &arguments) {
                               Value kernel = support::argument(arguments, 0, "");
                               if (!kernel.is(Kind::Kernel)) {
                                 return run.unknown("a kernel's method", arguments.at);
                               }
                               arguments.positional.erase(arguments.positional.begin());
                               return run.kernelCall(kernel, "method", arguments);
                             });
  return Value::make(Kind::Method, method);
}

Value Interpreter::attribute(Value base, std::string_view name, const Expr *at) {
  base = fetch(base);
  switch (base.kind) {
  case Kind::Unknown:
  case Kind::Raised:
    return base;
  case Kind::Module:
    return moduleAttribute(base.as<ModuleObject>(), name, at);
  case Kind::Instance:
    return instanceAttribute(base, name, at);
  case Kind::Class:
    return classMember(&base.as<ClassObject>(), name, at);
  case Kind::Pl:
    return plAttribute(base, name);
  case Kind::Foreign:
    return libraryAttribute(base, name, at);
  case Kind::Kernel:
    return kernelAttribute(base, name);
  case Kind::Tensor: {
    auto &tensor = base.as<TensorObject>();
    if (name == "shape") {
      std::vector<Value> extents;
      for (int64_t extent : tensor.shape) {
        extents.push_back(extent < 0 ? unknown("an extent of a tensor", at) : Value::ofInt(extent));
      }
      return tensor.shapeKnown ? tuple(std::move(extents)) : unknown("the shape of a tensor", at);
    }
    if (name == "dtype") {
      return tensor.dtype.empty() ? unknown("the dtype of a tensor", at) : foreign("torch." + tensor.dtype);
    }
    break;
  }
  case Kind::Function:
    if (name == "__name__" || name == "__qualname__") {
      return text(std::string(base.as<FunctionObject>().name));
    }
    if (name == "__wrapped__" || name == "cache_clear" || name == "__doc__") {
      return unknown("`" + std::string(name) + "` of a function", at);
    }
    break;
  case Kind::Wrapped:
    if (name == "setter" || name == "getter" || name == "deleter") {
      Value self = base;
      return builtin(
          "setter",
          [](Interpreter &run, Value property, Arguments &arguments) {
            if (arguments.positional.empty()) {
              return run.unknown("a property's setter");
            }
            auto *made = run.heap().make<WrappedObject>();
            made->function = property.as<WrappedObject>().function;
            made->setter = arguments.positional[0];
            return Value::make(Kind::Wrapped, made);
          },
          self);
    }
    break;
  default:
    break;
  }
  Value method = methodOf(base, name);
  if (!method.isRaised()) {
    return method;
  }
  if (base.isNumber() && (name == "real" || name == "imag" || name == "numerator" || name == "denominator")) {
    bool floating = base.is(Kind::Float);
    if (name == "imag" || (name == "denominator" && !floating)) {
      return floating ? Value::ofFloat(0) : Value::ofInt(name == "imag" ? 0 : 1);
    }
    if (name == "real" || !floating) {
      return base.is(Kind::Bool) ? Value::ofInt(base.integer) : base;
    }
  }
  if (isClosed(base) && !name.starts_with("__") && !isMemberOf(base.kind, name)) {
    return raise("AttributeError", "'" + typeName(base) + "' object has no attribute '" + std::string(name) + "'", at);
  }
  if (mayChange(base, name)) {
    touch(base.object);
    lose(base, unknown("`" + std::string(name) + "` is not followed and may have changed it", at));
  }
  return unknown("the attribute `" + std::string(name) + "` of " + typeName(base), at);
}

Value Interpreter::setAttribute(Value base, std::string_view name, Value value, source::ByteRange range) {
  base = fetch(base);
  Slot slot{value, range, {currentTree(), range}, true};
  if (base.is(Kind::Module)) {
    ModuleObject &module = base.as<ModuleObject>();
    auto define = defines_.find(module.name + "." + std::string(name));
    if (define != defines_.end()) {
      slot.value = define->second;
      usedDefines_.insert(define->first);
    }
    noteChange(base.object);
    changedNames_.insert({module.env, name});
    setSlot(module.env->names, name, slot);
    return Value::none();
  }
  if (base.is(Kind::Class)) {
    noteChange(base.object);
    auto &type = base.as<ClassObject>();
    type.opaque = type.opaque || name == "__getattribute__";
    if (type.env && type.definition) {
      changedNames_.insert({type.env, name});
      setSlot(type.env->names, name, slot);
    }
    return Value::none();
  }
  if (base.is(Kind::Instance)) {
    auto &instance = base.as<InstanceObject>();
    bool found = false;
    const Slot *own = classAttribute(instance.type, "__setattr__");
    if (own && !own->value.is(Kind::Builtin)) {
      Value done = dunder(base, "__setattr__", {text(std::string(name)), value}, found);
      if (done.isRaised()) {
        return done;
      }
      if (!found || done.isUnknown() || !instance.attributes.find(name)) {
        noteChange(base.object);
        setSlot(instance.attributes, name, {unknown("what `__setattr__` makes of it"), range, {}, true});
      }
      return Value::none();
    }
    const Slot *inClass = classAttribute(instance.type, name);
    if (inClass && inClass->value.is(Kind::Wrapped) && inClass->value.as<WrappedObject>().setter.is(Kind::Function)) {
      Value done = call(inClass->value.as<WrappedObject>().setter, {base, value});
      return done.isRaised() ? done : Value::none();
    }
    if (instance.type->frozen) {
      return raise("FrozenInstanceError", "cannot assign to field '" + std::string(name) + "'");
    }
    noteChange(base.object);
    setSlot(instance.attributes, name, slot);
  }
  return Value::none();
}

} // namespace placid::py
