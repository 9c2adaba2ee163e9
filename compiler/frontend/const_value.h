// SPDX-License-Identifier: Apache-2.0
// Values that Python code around kernels can have and that are known without running it. Plain data.
// Integers are 64-bit; what does not fit is Unknown with the reason, never a wrapped value. Every value is small: long
// texts, large sequences and deep nesting are Unknown too, so that copying, showing and dropping one is always cheap.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/evaluator/value.h"
#include "compiler/syntax/ast.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace placid::frontend {

struct KernelDecl;
struct ConstValue;
struct Scope;

/// Bounds of one value: bytes of a text, values inside a sequence (nested ones included, each 64 bytes of text counting
/// as one more), and nesting.
inline constexpr size_t kMaxTextBytes = size_t{1} << 12;
inline constexpr size_t kMaxSequenceWeight = size_t{1} << 14;
inline constexpr unsigned kMaxSequenceDepth = 64;

/// The values of a sequence. Copies share them; a writer that is not alone gets its own copy of the top level first.
class ConstItems {
public:
  ConstItems() = default;
  size_t size() const;
  bool empty() const { return size() == 0; }
  size_t weight() const; ///< What kMaxSequenceWeight bounds.
  const ConstValue &operator[](size_t at) const;
  const ConstValue *begin() const;
  const ConstValue *end() const;
  ConstValue *begin();
  ConstValue *end();

private:
  friend struct ConstValue;
  friend bool sameValue(const ConstValue &a, const ConstValue &b);
  struct Shared;
  void detach();
  std::shared_ptr<Shared> shared_; ///< Null when empty.
};

struct ConstValue {
  enum class Kind : uint8_t {
    Unknown, ///< text: why it could not be followed
    Int,
    Float,
    Bool,
    Str,
    None,
    Sequence, ///< items
    DType,
    Layout,
    Mem,
    DynDim,  ///< text: the symbol of pl.dynamic("…")
    PlPath,  ///< text: "pl.load", "pl.AtomicType.Add", "pld.DistributedTensor": a name of a PL dialect
    Type,    ///< expr, scope: a type annotation held by a name, and where its names mean something
    Kernel,  ///< kernel
    Foreign, ///< text: a name of a module that is not PL ("torch.float16", a Python function)
    Object,  ///< object: any other Python value, such as an instance of a class; text: its type
  };
  Kind kind = Kind::Unknown;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  ConstItems items;
  pl::DType dtype = pl::DType::F32;
  pl::Layout layout = pl::Layout::ND;
  pl::Mem mem = pl::Mem::Unset;
  const syntax::Expr *expr = nullptr;
  const KernelDecl *kernel = nullptr;
  const Scope *scope = nullptr;
  py::Value object;     ///< The evaluator's value, where this is only a view of it; lives as long as the Program.
  bool refused = false; ///< Unknown: Python itself would raise what `text` says.

  /// Long reasons are cut.
  static ConstValue unknown(std::string why);
  /// Unknown when the bounds above are exceeded.
  static ConstValue ofSequence(std::vector<ConstValue> items);
  static ConstValue ofText(Kind kind, std::string text);
  static ConstValue ofInt(int64_t value) {
    ConstValue out;
    out.kind = Kind::Int;
    out.integer = value;
    return out;
  }
  static ConstValue ofFloat(double value) {
    ConstValue out;
    out.kind = Kind::Float;
    out.real = value;
    return out;
  }
  static ConstValue ofBool(bool value) {
    ConstValue out;
    out.kind = Kind::Bool;
    out.integer = value ? 1 : 0;
    return out;
  }
  static ConstValue make(Kind kind, std::string text = {}) {
    ConstValue out;
    out.kind = kind;
    out.text = std::move(text);
    return out;
  }

  ConstValue holding(py::Value value) && {
    object = value;
    return std::move(*this);
  }

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isInt() const { return kind == Kind::Int; }
  bool isBool() const { return kind == Kind::Bool; }
  bool isFloat() const { return kind == Kind::Float; }
  bool isNumber() const { return isInt() || isFloat() || isBool(); }
  bool isPath(std::string_view path) const { return kind == Kind::PlPath && text == path; }
  double asDouble() const { return isFloat() ? real : static_cast<double>(integer); }
  /// Python truth; only of numbers, strings, None and sequences.
  bool truthy() const;
};

/// True when both say the same; two Unknown values do, whatever their reasons.
bool sameValue(const ConstValue &a, const ConstValue &b);

/// Python's own arithmetic on constants: `/` gives a float, `//` and `%` floor, integers never wrap.
/// Unknown (with the reason) for anything else, division by zero included.
ConstValue foldBinary(std::string_view op, const ConstValue &a, const ConstValue &b);
ConstValue foldUnary(std::string_view op, const ConstValue &a);
ConstValue foldCompare(std::string_view op, const ConstValue &a, const ConstValue &b);

int64_t floorDiv(int64_t a, int64_t b);
int64_t floorMod(int64_t a, int64_t b);

/// A PL name after its module: "INT8" is a dtype, "NZ" a layout, "Mem.Mat" a memory space, else a PlPath.
ConstValue plName(const std::string &prefix, const std::string &name);

/// The prefix ("pl", "pld", "pro" for the second dialect) of the PL dialect that a Python module name stands for; empty
/// for other modules.
std::string_view dialectPrefix(std::string_view module);

/// "64", "1.5", "True", "pl.NZ": for messages. Long values end in an ellipsis.
std::string show(const ConstValue &value);

} // namespace placid::frontend
