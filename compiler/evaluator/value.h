// SPDX-License-Identifier: Apache-2.0
// What Python code can compute here: values, and the objects they refer to, with Python's sharing. Objects belong to a
// Heap and live as long as it; a Value is two words and copied freely. Knows nothing of PL beyond dotted names, and
// nothing of MLIR. One thread.
#pragma once

#include "compiler/evaluator/big_int.h"
#include "compiler/syntax/ast.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placid::py {

struct Object;

enum class Kind : uint8_t {
  Unknown, ///< Reason: why it could not be followed
  Raised,  ///< an exception is on its way; only ever a result, never stored
  None,
  Ellipsis,
  Bool,  ///< integer
  Int,   ///< integer
  Big,   ///< BigObject: an int that does not fit 64 bits
  Float, ///< real
  Str,   ///< TextObject, UTF-8
  Bytes, ///< TextObject
  List,  ///< SequenceObject; so are Tuple and Iterator
  Tuple,
  Iterator, ///< what generators and iter() give; consumed from the front
  Dict,     ///< DictObject; so is Set, with None for every value
  Set,
  Range,
  Slice, ///< SequenceObject of three
  Function,
  Method,  ///< a function and its first argument
  Builtin, ///< BuiltinObject
  Partial,
  Wrapped, ///< property, classmethod, staticmethod
  Class,
  Instance,
  Module,
  Pl,      ///< TextObject: a dotted name of a PL dialect
  DynDim,  ///< TextObject: the symbol of pl.dynamic("…")
  PlType,  ///< TypeObject: a subscripted PL name, such as pl.Tensor[[4], pl.FP16]
  Kernel,  ///< KernelObject
  Foreign, ///< TextObject: a dotted name of a module that is not followed
  Tensor,  ///< TensorObject: shape and dtype of a torch tensor
};

struct Value {
  Kind kind = Kind::Unknown;
  union {
    int64_t integer;
    double real;
    Object *object;
  };

  Value() : integer(0) {}
  static Value make(Kind kind, Object *object) {
    Value out;
    out.kind = kind;
    out.object = object;
    return out;
  }
  static Value none() { return make(Kind::None, nullptr); }
  static Value raised() { return make(Kind::Raised, nullptr); }
  static Value ofBool(bool value) {
    Value out;
    out.kind = Kind::Bool;
    out.integer = value ? 1 : 0;
    return out;
  }
  static Value ofInt(int64_t value) {
    Value out;
    out.kind = Kind::Int;
    out.integer = value;
    return out;
  }
  static Value ofFloat(double value) {
    Value out;
    out.kind = Kind::Float;
    out.real = value;
    return out;
  }

  bool is(Kind wanted) const { return kind == wanted; }
  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isRaised() const { return kind == Kind::Raised; }
  /// Unknown or Raised: nothing to compute with.
  bool isLost() const { return isUnknown() || isRaised(); }
  bool isNone() const { return kind == Kind::None; }
  bool isInteger() const { return kind == Kind::Int || kind == Kind::Bool || kind == Kind::Big; }
  bool isSmall() const { return kind == Kind::Int || kind == Kind::Bool; }
  bool isNumber() const { return isInteger() || kind == Kind::Float; }
  bool isSequence() const { return kind == Kind::List || kind == Kind::Tuple; }
  template <class T> T &as() const { return *static_cast<T *>(object); }
};

struct ModuleObject;

/// A place in a module's text.
struct Place {
  const syntax::Module *module = nullptr;
  source::ByteRange range;
};

struct Object {
  virtual ~Object() = default;
  uint64_t serial = 0;      ///< Order of creation.
  Object *poison = nullptr; ///< A Reason: what it holds may have been changed in a way that is not known.
};

/// Why a value is unknown, and where that began.
struct Reason final : Object {
  std::string text;
  Place at;
};

struct BigObject final : Object {
  BigInt value;
};

struct TextObject final : Object {
  std::string text;
};

struct Env;
struct FunctionObject;

struct LazyItems;

struct SequenceObject final : Object {
  std::vector<Value> items;
  size_t next = 0; ///< Iterator: the first that is not consumed.
  /// Iterator: a generator's call that has not begun, with its parameters bound in `env`; null once it has.
  FunctionObject *pending = nullptr;
  Env *env = nullptr;
  Value self;
  LazyItems *lazy = nullptr;  ///< Iterator: makes the items one at a time, in place of `items`; null at the end.
  Value tail = Value::none(); ///< Iterator: why it is not known what comes after `items`.
};

/// Where an iterator takes its items from as it is asked for them.
struct LazyItems final : Object {
  enum class Type : uint8_t { Walk, Zip, Enumerate, Map, Filter, Generator } type = Type::Walk;
  std::vector<Value> sources;     ///< Iterators, of a generator one for each clause that has begun; Walk: a container.
  Value function = Value::none(); ///< Map, Filter
  Value number;                   ///< Enumerate: of the next item.
  uint64_t changes = 0;           ///< Walk of a dict: of its keys when it began.
  bool strict = false;            ///< Zip
  bool running = false;
  const syntax::Expr *generator = nullptr;
  Env *env = nullptr; ///< Generator: of its targets.
  Env *outer = nullptr;
  Value self;
  const FunctionObject *inside = nullptr; ///< The function it stands in, or null.
};

struct ClassObject;

struct DictObject final : Object {
  struct Entry {
    Value key;
    Value value;
    uint64_t code = 0; ///< The key's hash.
    bool live = true;  ///< False where one was taken out.
  };
  /// A key that is not there yet.
  void add(uint64_t code, Value key, Value value);
  /// `entry` is one of the live ones. Others may move.
  void erase(Entry &entry);
  void clear();
  /// What `from` holds, in place of what was here.
  void assign(const DictObject &from);

  std::vector<Entry> entries;                        ///< In order of insertion.
  std::unordered_multimap<uint64_t, uint32_t> index; ///< Of the live entries, by hash.
  size_t live = 0;
  uint64_t changes = 0;        ///< Of the keys: who runs Python code while it looks at entries compares it.
  ClassObject *type = nullptr; ///< defaultdict or Counter; null for a plain dict or set.
  Value shows = Value::none(); ///< `__dict__` and globals(): the instance or module that this is a copy of.
  Value missing;               ///< defaultdict: what makes the value of a key that is not there; None for none.
};

struct RangeObject final : Object {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  uint64_t size() const;
};

/// A binding.
struct Slot {
  Value value;
  source::ByteRange bound; ///< Where it was bound, in the module whose code did it.
  Place origin;            ///< Where the value came to be; through imports, the defining module's place.
  bool present = true;     ///< False after `del`.
};

/// Names in order of first binding. Keys are views into module texts or interned strings.
class Namespace {
public:
  struct Entry {
    std::string_view name;
    Slot slot;
  };
  const Slot *find(std::string_view name) const;
  void set(std::string_view name, Slot slot);
  const std::vector<Entry> &entries() const { return entries_; }

private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, uint32_t> index_;
};

/// What one function's text says of its names; made once.
struct FunctionFacts;

struct Env final : Object {
  enum class Type : uint8_t { Module, Function, Class } type = Type::Function;
  Namespace names;
  Env *parent = nullptr; ///< Lexically around it.
  ModuleObject *module = nullptr;
  const FunctionFacts *facts = nullptr; ///< Function only.
  /// What a name that is bound nowhere may be: `from helpers import *` can bring any. A Reason.
  Value others;
  bool open = false; ///< `others` is set.
};

struct ModuleObject final : Object {
  std::string name; ///< Dotted, as imported; the entry is `__main__`.
  std::string path; ///< Empty for a namespace package.
  std::shared_ptr<const syntax::Module> tree;
  Env *env = nullptr;
  bool package = false;
  enum class State : uint8_t { Loading, Loaded, Failed } state = State::Loading;
};

struct FunctionObject final : Object {
  const syntax::Stmt *definition = nullptr; ///< Null for a lambda.
  const syntax::PythonExpr *lambda = nullptr;
  const std::vector<syntax::Parameter> *parameters = nullptr;
  std::vector<Value> defaults; ///< For each parameter; Raised where it has none.
  Env *env = nullptr;
  std::string_view name;
  const FunctionFacts *facts = nullptr;
  unsigned active = 0;     ///< Calls of it that run.
  unsigned waysBefore = 0; ///< Ways around the first of them.
};

struct MethodObject final : Object {
  Value function;
  Value self;
};

struct PartialObject final : Object {
  Value function;
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;
};

struct WrappedObject final : Object {
  enum class Type : uint8_t { Property, ClassMethod, StaticMethod, CachedProperty } type = Type::Property;
  Value function;
  Value setter;
};

struct DataclassField {
  std::string_view name;
  Value defaultValue; ///< Raised: none.
  Value factory;      ///< Raised: none.
  bool init = true;
  bool keywordOnly = false;
  bool classVariable = false;
  bool initOnly = false; ///< `InitVar`: for `__post_init__` alone.
  bool compared = true;  ///< Counts for `==`, order and hash.
  bool shown = true;     ///< Stands in repr().
};

struct ClassObject final : Object {
  std::string_view name;
  std::vector<ClassObject *> order; ///< Method resolution order, itself first.
  Env *env = nullptr;               ///< Its namespace.
  const syntax::Stmt *definition = nullptr;
  bool dataclass = false;
  bool frozen = false;
  bool ordered = false;
  bool totalOrder = false; ///< Under functools.total_ordering.
  bool hashed = false;     ///< A dataclass with `unsafe_hash`.
  bool comparesFields = true;
  bool isEnum = false;
  bool isIntEnum = false;
  bool isNamedTuple = false;
  bool isException = false;
  bool program = false; ///< Under a class decorator of PL.
  bool open = false;    ///< A base is not known: an attribute that is not found may exist.
  bool opaque = false;  ///< Its attributes are whatever code of its own says.
  std::vector<DataclassField> fields;
  std::vector<Value> members; ///< Enum, in order.
  bool derives(const ClassObject *base) const;
};

struct InstanceObject final : Object {
  ClassObject *type = nullptr;
  Namespace attributes;
  /// NamedTuple: the items. Enum: value. Exception: arguments.
  std::vector<Value> items;
};

class Interpreter;
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;
  Value open; ///< Unknown with a reason when `isOpen`: `*x` of an unknown value.
  bool isOpen = false;
  const syntax::Expr *at = nullptr; ///< The call; may be null.
};
using BuiltinFunction = Value (*)(Interpreter &, Value self, Arguments &);

struct BuiltinObject final : Object {
  std::string_view name;
  BuiltinFunction function = nullptr;
  Value self;
};

/// A function under a PL decorator: each run of its `def` makes its own.
struct KernelObject final : Object {
  const syntax::Stmt *function = nullptr;
  Env *env = nullptr;           ///< Where it was defined.
  ClassObject *owner = nullptr; ///< The class whose body holds it, or null.
  std::string decorator;        ///< "pl.jit.incore"
  const syntax::Expr *decoratorExpr = nullptr;
  std::string prefix;    ///< Of its qualified name: "P.".
  uint32_t instance = 0; ///< 0 for the first object made from this definition.
};

struct TypeObject final : Object {
  const syntax::Expr *expr = nullptr;
  Env *env = nullptr;
};

/// Extents; -1 where not known.
struct TensorObject final : Object {
  std::vector<int64_t> shape;
  bool shapeKnown = true;
  std::string dtype; ///< torch's name, "float16"; empty when not known.
};

/// Owns objects. Counts bytes; over the budget it goes on (callers ask `full`), so that nothing fails half-way.
class Heap {
public:
  explicit Heap(size_t budget) : budget_(budget) {}
  template <class T> T *make() {
    auto made = std::make_unique<T>();
    T *out = made.get();
    out->serial = ++serial_;
    charge(sizeof(T) + 16);
    objects_.push_back(std::move(made));
    return out;
  }
  void charge(size_t bytes) { used_ += bytes; }
  bool full() const { return used_ > budget_; }
  size_t used() const { return used_; }
  void setBudget(size_t budget) { budget_ = budget; }
  uint64_t serial() const { return serial_; }
  Value text(std::string value, Kind kind = Kind::Str);
  Value sequence(std::vector<Value> items, Kind kind);
  Value integer(const BigInt &value); ///< Small where it fits.
  Value unknown(std::string why, Place at = {});
  /// A view that lives as long as the heap; the same text gives the same view.
  std::string_view intern(std::string_view text);

private:
  std::deque<std::unique_ptr<Object>> objects_;
  std::unordered_map<std::string_view, std::unique_ptr<std::string>> interned_;
  size_t budget_;
  size_t used_ = 0;
  uint64_t serial_ = 0;
};

const std::string &textOf(Value value); ///< Of Str, Bytes, Pl, DynDim, Foreign.
/// How the reason of a value begins that a builder which nothing calls would be given.
inline constexpr std::string_view kParameterReason = "it is a parameter of";
std::string_view reasonOf(Value value); ///< Of Unknown; empty when it has none.
Place placeOf(Value value);             ///< Where an Unknown began.
BigInt bigOf(Value value);              ///< Of any integer.

} // namespace placid::py
