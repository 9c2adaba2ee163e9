// SPDX-License-Identifier: Apache-2.0
// Between the evaluator's values and the front end's, and the static value of one expression. Plain expressions, which
// are most of a kernel, do not reach the evaluator.
#include "compiler/frontend/evaluation.h"

#include <algorithm>
#include <charconv>

namespace placid::frontend {

using syntax::Expr;
using Kind = ConstValue::Kind;

namespace {

constexpr size_t kMaxRange = 4096; ///< Longer ranges stay objects.
constexpr unsigned kMaxConstDepth = 32;

/// The value of literals, names and PL names; nothing for what needs an evaluation.
std::optional<ConstValue> plainValue(const Expr &expr, const Scope &scope) {
  switch (expr.kind) {
  case Expr::Kind::Int: {
    int64_t value = 0;
    auto [end, error] = std::from_chars(expr.text.data(), expr.text.data() + expr.text.size(), value);
    bool all = error == std::errc() && end == expr.text.data() + expr.text.size();
    return all ? std::optional(ConstValue::ofInt(value)) : std::nullopt;
  }
  case Expr::Kind::String:
    return ConstValue::ofText(Kind::Str, std::string(expr.text));
  case Expr::Kind::Bool:
    return ConstValue::ofBool(expr.text == "True");
  case Expr::Kind::None:
    return ConstValue::make(Kind::None);
  case Expr::Kind::Name: {
    const Binding *found = scope.find(expr.text);
    return found ? found->value : ConstValue::unknown("`" + std::string(expr.text) + "` is not defined here");
  }
  case Expr::Kind::Attribute: {
    std::optional<ConstValue> base = plainValue(*expr.children[0], scope);
    if (base && base->kind == Kind::PlPath) {
      size_t dot = base->text.find('.');
      std::string prefix = base->text.substr(0, dot);
      std::string name(expr.text);
      return plName(prefix, dot == std::string::npos ? name : base->text.substr(dot + 1) + "." + name);
    }
    return base && base->isUnknown() ? base : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

ConstValue Evaluation::toConst(py::Value value) {
  size_t room = kMaxSequenceWeight;
  return toConst(value, 0, room);
}

ConstValue Evaluation::toConst(py::Value value, unsigned depth, size_t &room) {
  value = interpreter_.fetch(value);
  switch (value.kind) {
  case py::Kind::Unknown:
  case py::Kind::Raised: {
    std::string why(py::reasonOf(value));
    std::string where = placeText(py::placeOf(value));
    return ConstValue::unknown(where.empty() ? why : why + " (" + where + ")");
  }
  case py::Kind::None:
    return ConstValue::make(Kind::None);
  case py::Kind::Bool:
    return ConstValue::ofBool(value.integer != 0);
  case py::Kind::Int:
    return ConstValue::ofInt(value.integer);
  case py::Kind::Big:
    return ConstValue::unknown("the integer does not fit 64 bits");
  case py::Kind::Float:
    return ConstValue::ofFloat(value.real);
  case py::Kind::Str:
    return ConstValue::ofText(Kind::Str, py::textOf(value));
  case py::Kind::List:
  case py::Kind::Tuple: {
    if (depth >= kMaxConstDepth) {
      return ConstValue::unknown("the sequence is nested more than " + std::to_string(kMaxConstDepth) + " levels deep");
    }
    const std::vector<py::Value> &from = value.as<py::SequenceObject>().items;
    // `room` is that of the whole value: shared parts count wherever they occur.
    if (from.size() > room) {
      room = 0;
      return ConstValue::unknown("the sequence has more than " + std::to_string(kMaxSequenceWeight) + " items");
    }
    room -= from.size();
    std::vector<ConstValue> items;
    for (py::Value item : from) {
      items.push_back(toConst(item, depth + 1, room));
    }
    return ConstValue::ofSequence(std::move(items));
  }
  case py::Kind::Range: {
    const auto &range = value.as<py::RangeObject>();
    if (range.size() > kMaxRange) {
      break;
    }
    std::vector<ConstValue> items;
    for (uint64_t i = 0; i < range.size(); ++i) {
      items.push_back(ConstValue::ofInt(range.start + static_cast<int64_t>(i) * range.step));
    }
    return ConstValue::ofSequence(std::move(items));
  }
  case py::Kind::Pl: {
    const std::string &path = py::textOf(value);
    size_t dot = path.find('.');
    return dot == std::string::npos ? ConstValue::make(Kind::PlPath, path)
                                    : plName(path.substr(0, dot), path.substr(dot + 1));
  }
  case py::Kind::DynDim:
    return ConstValue::ofText(Kind::DynDim, py::textOf(value));
  case py::Kind::PlType: {
    ConstValue out = ConstValue::make(Kind::Type);
    const auto &type = value.as<py::TypeObject>();
    out.expr = type.expr;
    out.scope = type.env ? scopeOf(type.env) : nullptr;
    out.object = value;
    return out;
  }
  case py::Kind::Kernel: {
    ConstValue out = ConstValue::make(Kind::Kernel);
    out.kernel = kernelOf(&value.as<py::KernelObject>());
    out.object = value;
    return out.kernel ? out : ConstValue::unknown("it is one of very many kernels of one definition");
  }
  case py::Kind::Foreign:
    return ConstValue::ofText(Kind::Foreign, py::textOf(value));
  case py::Kind::Function:
    return ConstValue::ofText(Kind::Foreign, std::string(value.as<py::FunctionObject>().name)).holding(value);
  case py::Kind::Module:
    return ConstValue::ofText(Kind::Foreign, value.as<py::ModuleObject>().name).holding(value);
  case py::Kind::Instance: {
    py::Value number = py::enumValue(value);
    if (!number.is(py::Kind::Instance)) {
      return toConst(number, depth + 1, room);
    }
    break;
  }
  default:
    break;
  }
  ConstValue out = ConstValue::make(Kind::Object, interpreter_.typeName(value));
  out.object = value;
  return out;
}

py::Value Evaluation::toPython(const ConstValue &value) {
  if (value.object.kind != py::Kind::Unknown) {
    return value.object;
  }
  py::Heap &heap = interpreter_.heap();
  switch (value.kind) {
  case Kind::Unknown:
  case Kind::Object:
  case Kind::Type:
  case Kind::Kernel:
    return heap.unknown(value.text);
  case Kind::Int:
    return py::Value::ofInt(value.integer);
  case Kind::Float:
    return py::Value::ofFloat(value.real);
  case Kind::Bool:
    return py::Value::ofBool(value.integer != 0);
  case Kind::Str:
    return heap.text(value.text);
  case Kind::None:
    return py::Value::none();
  case Kind::Sequence: {
    std::vector<py::Value> items;
    for (const ConstValue &item : value.items) {
      items.push_back(toPython(item));
    }
    return heap.sequence(std::move(items), py::Kind::Tuple);
  }
  case Kind::DType:
    return heap.text("pl." + pl::plName(value.dtype).str(), py::Kind::Pl);
  case Kind::Layout:
    return heap.text("pl." + pl::plName(value.layout).str(), py::Kind::Pl);
  case Kind::Mem:
    return heap.text("pl.Mem." + pl::plName(value.mem).str(), py::Kind::Pl);
  case Kind::DynDim:
    return heap.text(value.text, py::Kind::DynDim);
  case Kind::PlPath:
    return heap.text(value.text, py::Kind::Pl);
  case Kind::Foreign:
    return heap.text(value.text, py::Kind::Foreign);
  }
  return heap.unknown("this value");
}

const Scope *Evaluation::scopeOf(py::Env *env) {
  while (env && env->type == py::Env::Type::Class) {
    env = env->parent;
  }
  if (!env) {
    return nullptr;
  }
  auto known = scopes_.find(env);
  if (known != scopes_.end()) {
    return known->second;
  }
  const Scope *parent = scopeOf(env->parent);
  Scope &made = program_.scopes.emplace_back();
  scopes_[env] = &made;
  made.parent = parent;
  made.evaluation = this;
  made.env = env;
  if (env->open) {
    made.others = Binding{toConst(env->others), {}, {}};
  }
  return &made;
}

Binding Evaluation::bindingOf(const py::Slot &slot) {
  Binding out;
  out.value = toConst(slot.value);
  out.range = slot.bound;
  bool elsewhere = slot.origin.module && slot.origin.module != program_.module.get();
  if (elsewhere) {
    out.origin = {slot.origin.module->source, slot.origin.range};
  }
  return out;
}

ConstValue Evaluation::evaluate(const Expr &expr, const Scope &scope) {
  const Scope *base = &scope;
  while (!base->env) {
    base = base->parent;
  }
  py::Env *env = base->env;
  if (base != &scope) {
    // Names of a kernel over those of Python.
    env = interpreter_.heap().make<py::Env>();
    env->parent = base->env;
    env->module = base->env->module;
    for (const Scope *at = &scope; at != base; at = at->parent) {
      for (const auto &[name, binding] : at->names) {
        if (!env->names.find(name)) {
          env->names.set(name, {toPython(binding.value), binding.range, {}, true});
        }
      }
    }
  }
  ConstValue out = toConst(interpreter_.evaluate(expr, env));
  if (out.isUnknown() && !interpreter_.refusal().empty()) {
    out.refused = true;
  }
  return out;
}

ConstValue evaluate(const Expr &expr, const Scope &scope) {
  if (std::optional<ConstValue> plain = plainValue(expr, scope)) {
    return *plain;
  }
  const Scope *base = &scope;
  while (base && !base->evaluation) {
    base = base->parent;
  }
  return base ? base->evaluation->evaluate(expr, scope) : ConstValue::unknown("this expression");
}

} // namespace placid::frontend
