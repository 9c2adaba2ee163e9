// SPDX-License-Identifier: Apache-2.0
// What a name can hold while a kernel of pypto_pro is read: a Python value, a number of run time, a tensor, a tile
// type, a tile, a group of tiles, a struct, or a sequence of these. Objects live in the reader's arena; values are
// copied freely. One thread.
#pragma once

#include "compiler/evaluator/value.h"
#include "compiler/pro/kernel/index.h"
#include "compiler/pro/layout/tensor_layout.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace placid::pro {

/// A place in a module's text.
using Site = py::Place;

using Extent = std::optional<int64_t>; ///< Nothing: known at run time only.

struct TensorInfo {
  std::string name;
  std::vector<Extent> shape;
  bool rankKnown = true;
  std::optional<DType> dtype;
  std::optional<Layout> layout = Layout::ND; ///< Nothing: not known.
  Site annotation;
  bool poisoned = false; ///< Its declaration was refused: uses say nothing more.
  int number = -1;       ///< Of the parameter; -1 for what is none.
};

struct TileTypeInfo {
  std::vector<Extent> shape;
  bool shapeKnown = false;
  std::optional<DType> dtype;
  std::optional<Space> space = Space::Vec;
  std::optional<Layout> layout; ///< With the default filled in; of Vec without one ND. Nothing: not known.
  bool layoutGiven = false;
  std::optional<int64_t> fractal;
  std::optional<int64_t> pad = 0; ///< 0 none, 1 zero, 2 the largest, 3 the smallest; nothing where it is not known.
  std::vector<Extent> valid;      ///< Of valid_shape; nothing for -1. Empty without one.
  Site at;
  Site shapeAt;
  Site layoutAt; ///< Of layout= and target_memory=, where they are given.
  Site spaceAt;
  bool poisoned = false;

  std::optional<int64_t> extent(size_t axis) const {
    return shapeKnown && axis < shape.size() ? shape[axis] : std::nullopt;
  }
  bool isStatic() const;
};

struct GroupInfo {
  const TileTypeInfo *type = nullptr;
  std::vector<Extent> addresses; ///< One a slot; empty when the depth is not known.
  bool mutexes = false;          ///< Has mutex_ids.
  Site at;
  std::string name;
  bool validChanged = false;       ///< Some slot has had set_validshape.
  std::map<int, unsigned> slotIds; ///< Of slots that constants have named: the id of the tile.
  int structure = 0; ///< Of the number that says which slot it has turned to, for a trace that follows it.
};

struct TileInfo;
/// One tile of those that another one may be.
struct TileChoice {
  int64_t value = 0; ///< Of the selector.
  TileInfo *tile = nullptr;
};

struct TileInfo {
  const TileTypeInfo *type = nullptr;
  Extent address;
  GroupInfo *group = nullptr; ///< Null for one of make_tile.
  int slot = -1;              ///< Of the group; -1 where not known.
  Index index;                ///< The slot as a number of the loops around; null where not known.
  int turn = -1;              ///< Which turn of the group it was taken at, for the tracer; -1: not in turn.
  unsigned taken = 0;         ///< Order of taking.
  Site at;
  std::string name;
  unsigned id = 0;                 ///< Order of creation.
  Index selector;                  ///< For a trace, of a tile that is one of several: the number that says which,
  std::vector<TileChoice> choices; ///< and these, in order of their values.
};

enum class ValueKind : uint8_t {
  Unknown,
  Python,
  Scalar,
  Tensor,
  TileType,
  Tile,
  Group,
  Sequence,
  Struct,
  StructArray,
  FieldArray
};

/// Where a number of run time comes from, for messages.
enum class ScalarOrigin : uint8_t { Other, LoopIndex, TensorShape, Parameter };

struct Value {
  ValueKind kind = ValueKind::Unknown;
  py::Value python; ///< Python
  ScalarOrigin origin = ScalarOrigin::Other;
  std::optional<DType> dtype; ///< Scalar
  Index index;                ///< Scalar: what the loops around it make of it; null where not known. Of an Unknown that
                              ///< rules would see as a constant: what a trace knows of it.
  int64_t real = -1;          ///< Scalar: the variable of a trace that holds it, where it is no integer.
  const TensorInfo *tensor = nullptr;
  const TileTypeInfo *type = nullptr;
  TileInfo *tile = nullptr;
  GroupInfo *group = nullptr;
  std::shared_ptr<const std::vector<Value>> items;        ///< Sequence; of a Struct the fields.
  std::shared_ptr<const std::vector<std::string>> fields; ///< Struct: their names.
  /// Structs whose numbers change: the number of the first of `structures` alike, of which `pick` says which one it is;
  /// null where there is one, or where that is not known. Of a StructArray all of them; of a FieldArray, whose name is
  /// in `fields` and whose elements are in `items`, those that the field is of.
  int structure = 0;
  int structures = 0;
  Index pick;
  std::string why; ///< Unknown; empty where the reason was told already.

  static Value unknown(std::string why) {
    Value out;
    out.why = std::move(why);
    return out;
  }
  static Value ofPython(py::Value value) {
    Value out;
    out.kind = ValueKind::Python;
    out.python = value;
    return out;
  }
  static Value scalar(ScalarOrigin origin, std::optional<DType> dtype = std::nullopt) {
    Value out;
    out.kind = ValueKind::Scalar;
    out.origin = origin;
    out.dtype = dtype;
    return out;
  }
  static Value sequence(std::vector<Value> items) {
    Value out;
    out.kind = ValueKind::Sequence;
    out.items = std::make_shared<const std::vector<Value>>(std::move(items));
    return out;
  }

  static Value ofFields(std::vector<std::string> names, std::vector<Value> values) {
    Value out = sequence(std::move(values));
    out.kind = ValueKind::Struct;
    out.fields = std::make_shared<const std::vector<std::string>>(std::move(names));
    return out;
  }

  bool isUnknown() const { return kind == ValueKind::Unknown; }
  bool isPython(py::Kind wanted) const { return kind == ValueKind::Python && python.is(wanted); }
  bool isNone() const { return isPython(py::Kind::None); }
  /// The dotted path of a name of a dialect, else empty.
  std::string_view path() const;
  /// A number, of run time or known.
  bool isNumber() const { return kind == ValueKind::Scalar || (kind == ValueKind::Python && python.isNumber()); }
  /// The value of an int; nothing for bool, float and numbers of run time.
  std::optional<int64_t> integer() const;
  /// A number as an expression over loops: a constant int too.
  Index asIndex() const;
  /// The same, with True and False as one and zero.
  Index asNumber() const;
};

/// True where nothing that rules look at differs.
bool sameType(const TileTypeInfo &a, const TileTypeInfo &b);
/// True where both say the same.
bool sameValue(const Value &a, const Value &b);

/// "a number of run time", "a Tensor", "a Tile in Vec", for messages.
std::string describe(const Value &value);
/// "[64, 128]"; "?" where not known.
std::string showShape(const std::vector<Extent> &shape);

} // namespace placid::pro
