// SPDX-License-Identifier: Apache-2.0
// Arithmetic with Python's meaning: integers never wrap, `/` gives a float, `//` and `%` floor.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <cmath>

namespace placid::py {

using syntax::Expr;

namespace {

constexpr size_t kMaxItems = size_t{1} << 20;

struct DunderPair {
  std::string_view op;
  std::string_view plain;
  std::string_view reflected;
};
constexpr DunderPair kDunders[] = {
    {"+", "__add__", "__radd__"},
    {"-", "__sub__", "__rsub__"},
    {"*", "__mul__", "__rmul__"},
    {"/", "__truediv__", "__rtruediv__"},
    {"//", "__floordiv__", "__rfloordiv__"},
    {"%", "__mod__", "__rmod__"},
    {"**", "__pow__", "__rpow__"},
    {"|", "__or__", "__ror__"},
    {"&", "__and__", "__rand__"},
    {"^", "__xor__", "__rxor__"},
    {"<<", "__lshift__", "__rlshift__"},
    {">>", "__rshift__", "__rrshift__"},
    {"@", "__matmul__", "__rmatmul__"},
};

double floorDivide(double a, double b, double &mod) {
  // As CPython's float_divmod.
  mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1.0;
    }
  } else {
    mod = std::copysign(0.0, b);
  }
  if (div == 0) {
    return std::copysign(0.0, a / b);
  }
  double floored = std::floor(div);
  return div - floored > 0.5 ? floored + 1.0 : floored;
}

} // namespace

static Value quotient(Interpreter &run, std::string_view op, Value a, Value b, const Expr *at) {
  Heap &heap = run.heap();
  if (b.isSmall() && b.integer == 0) {
    return run.raise("ZeroDivisionError",
                     op == "/"    ? "division by zero"
                     : op == "//" ? "integer division or modulo by zero"
                                  : "integer modulo by zero",
                     at);
  }
  if (op == "/") {
    constexpr int64_t kExact = int64_t{1} << 53;
    auto exact = [](int64_t value) { return value >= -kExact && value <= kExact; };
    if (a.isSmall() && b.isSmall() && exact(a.integer) && exact(b.integer)) {
      return Value::ofFloat(static_cast<double>(a.integer) / static_cast<double>(b.integer));
    }
    std::optional<double> value = BigInt::trueDiv(bigOf(a), bigOf(b));
    return value ? Value::ofFloat(*value)
                 : run.raise("OverflowError", "integer division result too large for a float", at);
  }
  if (a.isSmall() && b.isSmall() && !(a.integer == INT64_MIN && b.integer == -1)) {
    int64_t quotient = a.integer / b.integer;
    int64_t remainder = a.integer % b.integer;
    bool adjust = remainder != 0 && (remainder < 0) != (b.integer < 0);
    return Value::ofInt(op == "//" ? quotient - (adjust ? 1 : 0) : remainder + (adjust ? b.integer : 0));
  }
  return heap.integer(op == "//" ? BigInt::floorDiv(bigOf(a), bigOf(b)) : BigInt::floorMod(bigOf(a), bigOf(b)));
}

static Value shifted(Interpreter &run, std::string_view op, Value a, Value b, const Expr *at) {
  Heap &heap = run.heap();
  BigInt count = bigOf(b);
  if (count.negative()) {
    return run.raise("ValueError", "negative shift count", at);
  }
  uint64_t by = count.fits64() ? static_cast<uint64_t>(count.to64()) : UINT64_MAX;
  BigInt value = bigOf(a);
  if (op == ">>") {
    return heap.integer(value.shiftRight(by));
  }
  if (value.isZero()) {
    return Value::ofInt(0);
  }
  if (by > BigInt::kMaxBits || value.bits() + by > BigInt::kMaxBits) {
    return run.unknown("the integer has more than " + std::to_string(BigInt::kMaxBits) + " bits", at);
  }
  return heap.integer(value.shiftLeft(by));
}

static Value power(Interpreter &run, Value a, Value b, const Expr *at) {
  Heap &heap = run.heap();
  BigInt exponent = bigOf(b);
  BigInt base = bigOf(a);
  if (exponent.negative()) {
    if (base.isZero()) {
      return run.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power", at);
    }
    std::optional<double> x = base.toDouble();
    std::optional<double> y = exponent.toDouble();
    return x && y ? Value::ofFloat(std::pow(*x, *y))
                  : run.raise("OverflowError", "int too large to convert to float", at);
  }
  if (base.bits() <= 1) { // 0, 1, -1
    bool odd = !BigInt::floorMod(exponent, 2).isZero();
    return exponent.isZero() || (base.negative() && !odd) ? Value::ofInt(1) : heap.integer(base);
  }
  if (!exponent.fits64() || exponent.to64() > static_cast<int64_t>(BigInt::kMaxBits) ||
      base.bits() * static_cast<uint64_t>(exponent.to64()) > BigInt::kMaxBits) {
    return run.unknown("the integer has more than " + std::to_string(BigInt::kMaxBits) + " bits", at);
  }
  uint64_t words = base.bits() * static_cast<uint64_t>(exponent.to64()) / 64;
  return run.spend(words * words / 64) ? heap.integer(base.power(static_cast<uint64_t>(exponent.to64())))
                                       : run.tooMuch();
}

static Value integers(Interpreter &run, std::string_view op, Value a, Value b, const Expr *at) {
  Heap &heap = run.heap();
  int64_t out = 0;
  bool small = a.isSmall() && b.isSmall();
  if (!small) {
    // Products and quotients look at every pair of words.
    uint64_t x = bigOf(a).bits() / 64 + 1;
    uint64_t y = bigOf(b).bits() / 64 + 1;
    bool pairs = op == "*" || op == "/" || op == "//" || op == "%";
    if (!run.spend(pairs ? x * y / 64 : (x + y) / 64)) {
      return run.tooMuch();
    }
  }
  if (op == "+" || op == "-" || op == "*") {
    if (small && !(op == "+"   ? __builtin_add_overflow(a.integer, b.integer, &out)
                   : op == "-" ? __builtin_sub_overflow(a.integer, b.integer, &out)
                               : __builtin_mul_overflow(a.integer, b.integer, &out))) {
      return Value::ofInt(out);
    }
    BigInt x = bigOf(a);
    BigInt y = bigOf(b);
    if ((op == "*" ? x.bits() + y.bits() : std::max(x.bits(), y.bits())) > BigInt::kMaxBits) {
      return run.unknown("the integer has more than " + std::to_string(BigInt::kMaxBits) + " bits", at);
    }
    return heap.integer(op == "+" ? x + y : op == "-" ? x - y : x * y);
  }
  if (op == "//" || op == "%" || op == "/") {
    return quotient(run, op, a, b, at);
  }
  if (op == "<<" || op == ">>") {
    return shifted(run, op, a, b, at);
  }
  if (op == "**") {
    return power(run, a, b, at);
  }
  if (op == "&" || op == "|" || op == "^") {
    bool bools = a.is(Kind::Bool) && b.is(Kind::Bool);
    if (small) {
      out = op == "&" ? a.integer & b.integer : op == "|" ? a.integer | b.integer : a.integer ^ b.integer;
      return bools ? Value::ofBool(out != 0) : Value::ofInt(out);
    }
    return heap.integer(op == "&" ? bigOf(a) & bigOf(b) : op == "|" ? bigOf(a) | bigOf(b) : bigOf(a) ^ bigOf(b));
  }
  return run.unknown("operator `" + std::string(op) + "`", at);
}

static Value floats(Interpreter &run, std::string_view op, double a, double b, const Expr *at) {
  if (op == "+") {
    return Value::ofFloat(a + b);
  }
  if (op == "-") {
    return Value::ofFloat(a - b);
  }
  if (op == "*") {
    return Value::ofFloat(a * b);
  }
  if (op == "/" || op == "//" || op == "%") {
    if (b == 0) {
      return run.raise("ZeroDivisionError",
                       op == "/"    ? "float division by zero"
                       : op == "//" ? "float floor division by zero"
                                    : "float modulo",
                       at);
    }
    if (op == "/") {
      return Value::ofFloat(a / b);
    }
    double mod = 0;
    double div = floorDivide(a, b, mod);
    return Value::ofFloat(op == "//" ? div : mod);
  }
  if (op == "**") {
    if (a == 0 && b < 0) {
      return run.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power", at);
    }
    if (std::isfinite(a) && a < 0 && std::isfinite(b) && b != std::floor(b)) {
      return run.unknown("a complex number", at);
    }
    double out = std::pow(a, b);
    if (std::isinf(out) && std::isfinite(a) && std::isfinite(b)) {
      return run.raise("OverflowError", "(34, 'Numerical result out of range')", at);
    }
    return Value::ofFloat(out);
  }
  return run.unknown("operator `" + std::string(op) + "`", at);
}

Value Interpreter::setOperation(std::string_view op, DictObject &left, DictObject &right) {
  std::vector<Value> out;
  Value problem = Value::none();
  // What is in `from` and, as `wanted` says, in `other` or not.
  auto take = [&](const DictObject &from, DictObject &other, bool all, bool wanted) {
    for (size_t i = 0; i < from.entries.size() && problem.isNone(); ++i) {
      const DictObject::Entry entry = from.entries[i];
      bool taken = entry.live && (all || (dictFind(other, entry.key, entry.code, problem) != nullptr) == wanted);
      if (taken && problem.isNone()) {
        out.push_back(entry.key);
      }
    }
  };
  take(left, right, op == "|", op == "&");
  if (op == "|" || op == "^") {
    take(right, left, op == "|", false);
  }
  return problem.isNone() ? makeSet(out, problem) : problem;
}

/// `a op= b` where it changes `a` itself: lists, sets, dicts, objects with a method for it. `found` is false elsewhere.
Value Interpreter::inPlace(std::string_view op, Value a, Value b, const Expr *at, bool &found) {
  a = fetch(a);
  if (a.is(Kind::Instance)) {
    const DunderPair *pair =
        std::find_if(std::begin(kDunders), std::end(kDunders), [&](const DunderPair &p) { return p.op == op; });
    found = false;
    return pair == std::end(kDunders) ? Value() : dunder(a, "__i" + std::string(pair->plain.substr(2)), {b}, found);
  }
  found = true;
  if (op == "+" && a.is(Kind::List)) {
    std::vector<Value> more;
    Value seen = iterate(b, more, at);
    if (seen.isRaised()) {
      return seen;
    }
    touch(a.object);
    if (!seen.isNone() || !spend(more.size())) {
      lose(a, seen.isNone() ? tooMuch() : seen);
      return fetch(a);
    }
    heap_.charge(more.size() * sizeof(Value));
    std::vector<Value> &items = a.as<SequenceObject>().items;
    items.insert(items.end(), more.begin(), more.end());
    return a;
  }
  bool set = a.is(Kind::Set) && fetch(b).is(Kind::Set) && (op == "|" || op == "&" || op == "-" || op == "^");
  if ((op == "*" && a.is(Kind::List)) || set) {
    Value made = binary(op, a, b, at);
    if (made.isRaised()) {
      return made;
    }
    touch(a.object);
    if (made.is(Kind::List)) {
      a.as<SequenceObject>().items = made.as<SequenceObject>().items;
    } else if (made.is(Kind::Set)) {
      a.as<DictObject>().assign(made.as<DictObject>());
    } else {
      lose(a, made);
    }
    return fetch(a);
  }
  if (op == "|" && a.is(Kind::Dict) && fetch(b).is(Kind::Dict)) {
    touchDict(a.as<DictObject>());
    for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(b.as<DictObject>().entries)) {
      Value problem;
      if (entry.live && !dictSet(a.as<DictObject>(), entry.key, entry.value, problem)) {
        lose(a, problem);
      }
    }
    return fetch(a);
  }
  if (op == "|" && a.is(Kind::Dict)) {
    touchDict(a.as<DictObject>());
    lose(a, unknown("a dict that is updated with what is no dict", at));
    return fetch(a);
  }
  found = false;
  return Value();
}

/// The methods of user classes for `op`, in Python's order; nothing where neither side has one.
std::optional<Value> Interpreter::instanceOperator(std::string_view op, Value a, Value b) {
  const DunderPair *pair = std::find_if(std::begin(kDunders), std::end(kDunders),
                                        [&](const DunderPair &candidate) { return candidate.op == op; });
  if (pair == std::end(kDunders)) {
    return std::nullopt;
  }
  bool found = false;
  ClassObject *left = a.is(Kind::Instance) ? a.as<InstanceObject>().type : nullptr;
  ClassObject *right =
      b.is(Kind::Instance) && b.as<InstanceObject>().type != left ? b.as<InstanceObject>().type : nullptr;
  // A subclass with a reflected method of its own is asked first.
  bool rightFirst = left && right && right->derives(left) &&
                    classAttribute(right, pair->reflected) != classAttribute(left, pair->reflected);
  Value out = rightFirst ? dunder(b, pair->reflected, {a}, found) : Value();
  out = !found && left ? dunder(a, pair->plain, {b}, found) : out;
  if (!found && right && !rightFirst) {
    out = dunder(b, pair->reflected, {a}, found);
  }
  return found ? std::optional(out) : std::nullopt;
}

/// `a + b` of two texts or two sequences of one kind.
Value Interpreter::concatenated(Value a, Value b) {
  if (!a.isSequence()) {
    const std::string &x = textOf(a);
    const std::string &y = textOf(b);
    if (x.size() + y.size() > kMaxItems || !spend((x.size() + y.size()) / 64)) {
      return tooMuch();
    }
    return heap_.text(x + y, a.kind);
  }
  const std::vector<Value> &x = a.as<SequenceObject>().items;
  const std::vector<Value> &y = b.as<SequenceObject>().items;
  if (x.size() + y.size() > kMaxItems || !spend(x.size() + y.size())) {
    return tooMuch();
  }
  std::vector<Value> both(x);
  both.insert(both.end(), y.begin(), y.end());
  return heap_.sequence(std::move(both), a.kind);
}

/// `what * times` of a text or a sequence.
Value Interpreter::repeated(Value what, int64_t times) {
  const size_t count = static_cast<size_t>(std::max<int64_t>(times, 0));
  auto fits = [&](size_t size) { return size == 0 || count <= kMaxItems / size; };
  if (!what.isSequence()) {
    const std::string &piece = textOf(what);
    if (!fits(piece.size()) || !spend(piece.size() * count / 64)) {
      return tooMuch();
    }
    std::string out;
    for (size_t i = 0; i < count && !piece.empty(); ++i) {
      out += piece;
    }
    return heap_.text(std::move(out), what.kind);
  }
  const std::vector<Value> &items = what.as<SequenceObject>().items;
  if (!fits(items.size()) || !spend(items.size() * count)) {
    return tooMuch();
  }
  std::vector<Value> out;
  for (size_t i = 0; i < count && !items.empty(); ++i) {
    out.insert(out.end(), items.begin(), items.end());
  }
  return heap_.sequence(std::move(out), what.kind);
}

Value Interpreter::mergedDicts(Value a, Value b) {
  Value out = makeDict();
  Value problem;
  for (Value from : {a, b}) {
    for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(from.as<DictObject>().entries)) {
      if (entry.live && !dictSet(out.as<DictObject>(), entry.key, entry.value, problem)) {
        return problem;
      }
    }
  }
  return out;
}

/// What the built-in types define; nothing where they define no such operator.
std::optional<Value> Interpreter::builtinOperator(std::string_view op, Value a, Value b, const Expr *at) {
  auto isText = [](Value value) { return value.is(Kind::Str) || value.is(Kind::Bytes); };
  if (a.isNumber() && b.isNumber()) {
    std::optional<double> x = a.is(Kind::Float) ? std::optional(a.real) : bigOf(a).toDouble();
    std::optional<double> y = b.is(Kind::Float) ? std::optional(b.real) : bigOf(b).toDouble();
    if (!x || !y) {
      return raise("OverflowError", "int too large to convert to float", at);
    }
    if (op == "+" || op == "-" || op == "*" || op == "/" || op == "//" || op == "%" || op == "**") {
      return floats(*this, op, *x, *y, at);
    }
    return std::nullopt;
  }
  if (op == "%" && isText(a)) {
    return a.is(Kind::Str) ? percentFormat(a, b, at) : unknown("bytes that are formatted", at);
  }
  if (op == "+" && a.kind == b.kind && (isText(a) || a.isSequence())) {
    return concatenated(a, b);
  }
  if (op == "*") {
    auto isBig = [](Value times, Value what) {
      return times.is(Kind::Big) && (what.isSequence() || what.is(Kind::Str));
    };
    if (isBig(a, b) || isBig(b, a)) {
      return raise("OverflowError", "cannot fit 'int' into an index-sized integer", at);
    }
    Value what = a.isSmall() ? b : a;
    if ((a.isSmall() || b.isSmall()) && (isText(what) || what.isSequence())) {
      return repeated(what, (a.isSmall() ? a : b).integer);
    }
  }
  if (a.is(Kind::Set) && b.is(Kind::Set) && (op == "|" || op == "&" || op == "-" || op == "^")) {
    return setOperation(op, a.as<DictObject>(), b.as<DictObject>());
  }
  if ((a.is(Kind::Dict) && a.as<DictObject>().type) || (b.is(Kind::Dict) && b.as<DictObject>().type)) {
    return unknown("`" + std::string(op) + "` of a " + typeName(a.is(Kind::Dict) ? a : b), at);
  }
  if (a.is(Kind::Dict) && b.is(Kind::Dict) && op == "|") {
    return mergedDicts(a, b);
  }
  if (a.is(Kind::Tensor) && (b.is(Kind::Tensor) || b.isNumber())) {
    auto &tensor = a.as<TensorObject>();
    bool simple = b.isNumber() || (b.as<TensorObject>().shape == tensor.shape && tensor.shapeKnown);
    return simple ? a : unknown("operator `" + std::string(op) + "` on tensors", at);
  }
  return std::nullopt;
}

/// Whether a value may define operators that are not evaluated here.
static bool isOpaqueOperand(Value value) {
  switch (value.kind) {
  case Kind::Class:
  case Kind::Foreign:
  case Kind::Pl:
  case Kind::DynDim:
  case Kind::Tensor:
  case Kind::Builtin:
  case Kind::Instance:
  case Kind::PlType:
    return true;
  default:
    return false;
  }
}

Value Interpreter::binary(std::string_view op, Value a, Value b, const Expr *at) {
  a = fetch(a);
  b = fetch(b);
  if (a.isLost() || b.isLost()) {
    mayRaise_ = true;
    return a.isLost() ? a : b;
  }
  if (a.is(Kind::Instance) || b.is(Kind::Instance)) {
    if (std::optional<Value> out = instanceOperator(op, a, b)) {
      return *out;
    }
    a = enumValue(a);
    b = enumValue(b);
  }
  if (a.isInteger() && b.isInteger() && op != "@") {
    return integers(*this, op, a, b, at);
  }
  if (std::optional<Value> out = builtinOperator(op, a, b, at)) {
    return *out;
  }
  if (isOpaqueOperand(a) || isOpaqueOperand(b)) {
    return unknown("operator `" + std::string(op) + "` on " + typeName(a) + " and " + typeName(b), at);
  }
  return raise(
      "TypeError",
      "unsupported operand type(s) for " + std::string(op) + ": '" + typeName(a) + "' and '" + typeName(b) + "'", at);
}

Value Interpreter::unary(std::string_view op, Value a, const Expr *at) {
  a = fetch(a);
  if (a.isLost()) {
    return a;
  }
  if (op == "not") {
    Value truthy = truth(a);
    return truthy.isLost() ? truthy : Value::ofBool(!truthy.integer);
  }
  a = enumValue(a);
  if (op == "+" && a.isNumber()) {
    return a.is(Kind::Bool) ? Value::ofInt(a.integer) : a;
  }
  if (op == "-" && a.is(Kind::Float)) {
    return Value::ofFloat(-a.real);
  }
  if (op == "-" && a.isInteger()) {
    return heap_.integer(-bigOf(a));
  }
  if (op == "~" && a.isInteger()) {
    return heap_.integer(-bigOf(a) - 1);
  }
  if (a.is(Kind::Instance)) {
    bool found = false;
    Value out = dunder(a, op == "-" ? "__neg__" : op == "+" ? "__pos__" : "__invert__", {}, found);
    return found ? out : unknown("operator `" + std::string(op) + "` on " + typeName(a), at);
  }
  return a.is(Kind::Tensor) ? a : unknown("operator `" + std::string(op) + "` on " + typeName(a), at);
}

} // namespace placid::py
