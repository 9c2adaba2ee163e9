// SPDX-License-Identifier: Apache-2.0
// `class`: bases, the order in which attributes are looked up, the body, decorators. Apart from classes.cpp, which
// makes objects of what stands here.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

namespace {

bool isOneOf(Value value, std::initializer_list<std::string_view> paths) {
  return value.is(Kind::Foreign) && std::find(paths.begin(), paths.end(), textOf(value)) != paths.end();
}

/// Bases that add nothing which code could see.
bool addsNothing(Value base) {
  return isOneOf(base, {"typing.Generic", "typing.Protocol", "typing_extensions.Generic", "typing_extensions.Protocol",
                        "abc.ABC"});
}

/// A class of Python's own whose objects are values and no bags of attributes, such as int.
bool isValueClass(const ClassObject &type) {
  return !type.definition && !type.isEnum && !type.isNamedTuple && !type.isException && type.name != "object";
}

/// Python's order of lookup (C3) over the orders of the bases; false when there is none.
bool linearize(ClassObject *type, const std::vector<ClassObject *> &bases) {
  if (bases.size() == 1) {
    type->order.insert(type->order.end(), bases[0]->order.begin(), bases[0]->order.end());
    return true;
  }
  std::vector<std::vector<ClassObject *>> rows;
  for (const ClassObject *base : bases) {
    rows.push_back(base->order);
  }
  rows.push_back(bases);
  std::vector<size_t> next(rows.size(), 0);
  auto inTail = [&](const ClassObject *candidate) {
    for (size_t i = 0; i < rows.size(); ++i) {
      auto from = rows[i].begin() + static_cast<std::ptrdiff_t>(std::min(next[i] + 1, rows[i].size()));
      if (std::find(from, rows[i].end(), candidate) != rows[i].end()) {
        return true;
      }
    }
    return false;
  };
  while (true) {
    ClassObject *chosen = nullptr;
    bool left = false;
    for (size_t i = 0; i < rows.size() && !chosen; ++i) {
      if (next[i] < rows[i].size()) {
        left = true;
        chosen = inTail(rows[i][next[i]]) ? nullptr : rows[i][next[i]];
      }
    }
    if (!chosen) {
      return !left;
    }
    type->order.push_back(chosen);
    for (size_t i = 0; i < rows.size(); ++i) {
      next[i] += next[i] < rows[i].size() && rows[i][next[i]] == chosen ? 1 : 0;
    }
  }
}

void inherit(ClassObject *type, const ClassObject &parent) {
  type->open = type->open || parent.open;
  type->opaque = type->opaque || parent.opaque;
  type->totalOrder = type->totalOrder || parent.totalOrder;
  type->isEnum = type->isEnum || parent.isEnum;
  type->isIntEnum = type->isIntEnum || parent.isIntEnum;
  type->isNamedTuple = type->isNamedTuple || parent.isNamedTuple;
  type->isException = type->isException || parent.isException;
  if (parent.dataclass) {
    type->dataclass = true;
    type->frozen = parent.frozen;
    type->ordered = parent.ordered;
    type->hashed = parent.hashed;
    type->comparesFields = parent.comparesFields;
    for (const DataclassField &field : parent.fields) {
      bool known = std::any_of(type->fields.begin(), type->fields.end(),
                               [&](const DataclassField &other) { return other.name == field.name; });
      if (!known) {
        type->fields.push_back(field);
      }
    }
  } else if (parent.isNamedTuple) {
    type->fields = parent.fields;
  }
}

} // namespace

/// None, Raised, or another value that the class's name gets instead of a class.
Value Interpreter::takeBases(const Stmt &stmt, ClassObject *type, Frame &frame) {
  std::vector<ClassObject *> bases;
  bool ofValues = false;
  for (const Expr *expr : stmt.operands) {
    Value base = eval(*expr, frame);
    if (base.isRaised()) {
      return base;
    }
    if (isOneOf(base, {"enum.Flag", "enum.IntFlag"})) {
      return unknown("an enumeration of flags", expr);
    }
    if (isOneOf(base, {"typing.TypedDict", "typing_extensions.TypedDict"})) {
      return Value::make(Kind::Class, builtinClass("dict")); // what a call of it makes is a plain dict
    }
    if (!base.is(Kind::Class)) {
      type->open = type->open || !addsNothing(base);
      continue;
    }
    auto &parent = base.as<ClassObject>();
    if (parent.isEnum && !parent.members.empty()) {
      return raise("TypeError", "cannot extend enumeration '" + std::string(parent.name) + "'", expr);
    }
    if (std::find(bases.begin(), bases.end(), &parent) != bases.end()) {
      return raise("TypeError", "duplicate base class " + std::string(parent.name), expr);
    }
    bases.push_back(&parent);
    ofValues = ofValues || isValueClass(parent);
    inherit(type, parent);
  }
  uint64_t all = bases.size();
  for (const ClassObject *base : bases) {
    all += base->order.size();
  }
  heap_.charge(all * sizeof(ClassObject *));
  if (!spend(bases.size() < 2 ? all / 8 : all * all / 16)) {
    return tooMuch();
  }
  if (!linearize(type, bases)) {
    return raise("TypeError", "Cannot create a consistent method resolution order (MRO) for bases",
                 stmt.operands.front());
  }
  // A base beside Enum makes members that are such values.
  for (ClassObject *base : type->order) {
    bool value = !base->definition && (base->name == "int" || base->name == "str" || base->name == "float");
    type->isIntEnum = type->isIntEnum || (type->isEnum && value);
  }
  type->open = type->open || (ofValues && !type->isIntEnum);
  for (const syntax::Keyword &keyword : stmt.value ? stmt.value->keywords : std::vector<syntax::Keyword>()) {
    if (keyword.name == "metaclass") {
      Value meta = eval(*keyword.value, frame);
      if (meta.isRaised()) {
        return meta;
      }
      bool harmless = isOneOf(meta, {"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"});
      type->open = type->open || !harmless;
      type->opaque = type->opaque || !harmless;
    }
  }
  return Value::none();
}

/// What `__init_subclass__` of a base does with a class that is complete.
Value Interpreter::announceSubclass(const Stmt &stmt, ClassObject *type, Frame &frame) {
  for (size_t i = 1; i < type->order.size(); ++i) {
    const Slot *hook = type->order[i]->env ? type->order[i]->env->names.find("__init_subclass__") : nullptr;
    if (!hook) {
      continue;
    }
    Value function = hook->value;
    if (function.is(Kind::Wrapped)) {
      function = function.as<WrappedObject>().function;
    }
    Arguments arguments;
    arguments.positional = {Value::make(Kind::Class, type)};
    arguments.at = stmt.operands.empty() ? nullptr : stmt.operands.front();
    for (const syntax::Keyword &keyword : stmt.value ? stmt.value->keywords : std::vector<syntax::Keyword>()) {
      if (keyword.name != "metaclass") {
        Value value = eval(*keyword.value, frame);
        if (value.isRaised()) {
          return value;
        }
        arguments.keywords.emplace_back(keyword.name, value);
      }
    }
    return call(function, arguments);
  }
  return Value::none();
}

Interpreter::Flow Interpreter::classStatement(const Stmt &stmt, Frame &frame) {
  auto *type = heap_.make<ClassObject>();
  type->name = stmt.name;
  type->definition = &stmt;
  type->order = {type};
  Value instead = takeBases(stmt, type, frame);
  if (instead.isRaised()) {
    return Flow::Raise;
  }
  if (!instead.isNone()) {
    bind(frame, stmt.name, instead, stmt.nameRange);
    return Flow::Next;
  }
  std::vector<std::pair<Value, const Expr *>> decorators;
  for (const Expr *expr : stmt.decorators) {
    const Expr &callee = expr->kind == Expr::Kind::Call ? *expr->children[0] : *expr;
    Value value = eval(callee, frame);
    if (value.isRaised()) {
      return Flow::Raise;
    }
    if (value.is(Kind::Pl) && dialect_.makesProgram(textOf(value))) {
      type->program = true;
      continue;
    }
    value = &callee == expr ? value : eval(*expr, frame);
    if (value.isRaised()) {
      return Flow::Raise;
    }
    decorators.emplace_back(value, expr);
  }
  Env *env = heap_.make<Env>();
  env->type = Env::Type::Class;
  env->parent = frame.env;
  env->module = frame.env->module;
  type->env = env;
  env->names.set("__class__", {Value::make(Kind::Class, type), {}, {}, true});
  Frame body;
  body.env = env;
  body.owner = type;
  body.prefix = frame.prefix + std::string(stmt.name) + ".";
  bind(frame, stmt.name, Value::make(Kind::Class, type), stmt.nameRange);
  if (block(stmt.body, body) == Flow::Raise) {
    return Flow::Raise;
  }
  const Slot *lookUp = env->names.find("__getattribute__");
  type->opaque = type->opaque || lookUp;
  if (type->isEnum) {
    if (!finishEnum(type)) {
      return Flow::Raise;
    }
  } else if (type->isNamedTuple && type->fields.empty()) {
    makeDataclass(type, nullptr);
    type->dataclass = false;
  }
  Value made = Value::make(Kind::Class, type);
  if (announceSubclass(stmt, type, frame).isRaised()) {
    return Flow::Raise;
  }
  for (auto it = decorators.rbegin(); it != decorators.rend() && !made.isLost(); ++it) {
    made = call(it->first, {made});
  }
  if (made.isRaised()) {
    return Flow::Raise;
  }
  bind(frame, stmt.name, made, stmt.nameRange);
  return Flow::Next;
}

} // namespace placid::py
