// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/value.h"

#include <algorithm>

namespace placid::pro {

bool TileTypeInfo::isStatic() const {
  return shapeKnown && std::all_of(shape.begin(), shape.end(), [](const Extent &extent) { return extent.has_value(); });
}

std::string_view Value::path() const {
  return isPython(py::Kind::Pl) ? std::string_view(py::textOf(python)) : std::string_view();
}

std::optional<int64_t> Value::integer() const {
  return isPython(py::Kind::Int) ? std::optional(python.integer) : std::nullopt;
}

Index Value::asIndex() const {
  std::optional<int64_t> constant = integer();
  bool held = kind == ValueKind::Scalar || kind == ValueKind::Unknown;
  return constant ? constantIndex(*constant) : held ? index : nullptr;
}

Index Value::asNumber() const { return isPython(py::Kind::Bool) ? constantIndex(python.integer != 0) : asIndex(); }

bool sameType(const TileTypeInfo &a, const TileTypeInfo &b) {
  return &a == &b || (a.shape == b.shape && a.shapeKnown == b.shapeKnown && a.dtype == b.dtype && a.space == b.space &&
                      a.layout == b.layout && a.valid == b.valid && a.fractal == b.fractal && a.poisoned == b.poisoned);
}

bool sameValue(const Value &a, const Value &b) {
  if (a.kind != b.kind) {
    return false;
  }
  switch (a.kind) {
  case ValueKind::Unknown:
    return sameIndex(a.index, b.index);
  case ValueKind::Python: {
    py::Value x = a.python;
    py::Value y = b.python;
    if (x.kind != y.kind) {
      return false;
    }
    if (x.isSmall()) {
      return x.integer == y.integer;
    }
    if (x.is(py::Kind::Float)) {
      return x.real == y.real;
    }
    if (x.is(py::Kind::Str) || x.is(py::Kind::Pl) || x.is(py::Kind::Foreign)) {
      return py::textOf(x) == py::textOf(y);
    }
    return x.isNone() || x.object == y.object;
  }
  case ValueKind::Scalar:
    return a.dtype == b.dtype && a.real == b.real && sameIndex(a.index, b.index);
  case ValueKind::Tensor:
    return a.tensor == b.tensor;
  case ValueKind::TileType:
    return a.type == b.type;
  case ValueKind::Tile:
    return a.tile == b.tile;
  case ValueKind::Group:
    return a.group == b.group;
  case ValueKind::Struct:
  case ValueKind::StructArray:
    return a.structure == b.structure && a.structures == b.structures && sameIndex(a.pick, b.pick) &&
           a.fields == b.fields && a.items == b.items;
  case ValueKind::FieldArray:
    return a.structure == b.structure && a.structures == b.structures && sameIndex(a.pick, b.pick) &&
           a.fields == b.fields;
  case ValueKind::Sequence:
    return a.items->size() == b.items->size() &&
           std::equal(a.items->begin(), a.items->end(), b.items->begin(), sameValue);
  }
  return false;
}

/// "pl.NZ" of "pro.NZ", "pl" of the module itself.
static std::string shownPath(std::string_view path) {
  size_t dot = path.find('.');
  return path.substr(0, dot) == "pro" ? "pl" + std::string(path.substr(std::min(dot, path.size()))) : std::string(path);
}

std::string describe(const Value &value) {
  switch (value.kind) {
  case ValueKind::Unknown:
    return "something that is not known";
  case ValueKind::Python:
    return value.python.isNumber()          ? "a number"
           : value.python.isSequence()      ? "a list"
           : value.python.isNone()          ? "None"
           : !value.path().empty()          ? "`" + shownPath(value.path()) + "`"
           : value.python.is(py::Kind::Str) ? "a text"
                                            : "a Python object";
  case ValueKind::Scalar:
    return value.origin == ScalarOrigin::LoopIndex     ? "a loop index"
           : value.origin == ScalarOrigin::TensorShape ? "an extent of a tensor"
           : value.origin == ScalarOrigin::Parameter   ? "a parameter"
                                                       : "a number of run time";
  case ValueKind::Tensor:
    return "a Tensor";
  case ValueKind::TileType:
    return "a TileType";
  case ValueKind::Tile:
    return "a Tile";
  case ValueKind::Group:
    return "a tile group";
  case ValueKind::Sequence:
    return "a list";
  case ValueKind::Struct:
    return "a struct";
  case ValueKind::StructArray:
    return "an array of structs";
  case ValueKind::FieldArray:
    return "an array in a struct";
  }
  return "";
}

std::string showShape(const std::vector<Extent> &shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    out += (i ? ", " : "") + (shape[i] ? std::to_string(*shape[i]) : std::string("?"));
  }
  return out + "]";
}

} // namespace placid::pro
