// SPDX-License-Identifier: Apache-2.0
// The module `math`, through the C library as CPython does.
#include "compiler/evaluator/builtin_support.h"
#include "compiler/evaluator/library_tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace placid::py::library {

namespace {

using support::argument;

/// A float argument; nullopt with the result to give.
std::optional<double> real(Interpreter &run, Arguments &args, size_t index, Value &problem) {
  Value value = enumValue(run.fetch(argument(args, index, "")));
  if (value.isNumber()) {
    std::optional<double> out = value.is(Kind::Float) ? std::optional(value.real) : bigOf(value).toDouble();
    problem = out ? Value::none() : run.raise("OverflowError", "int too large to convert to float", args.at);
    return out;
  }
  problem = support::noNumber(run, value, "a function of math", args);
  return std::nullopt;
}

template <double (*Function)(double)> Value unary(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  if (!x) {
    return problem;
  }
  double out = Function(*x);
  if (std::isnan(out) && !std::isnan(*x)) {
    return run.raise("ValueError", "math domain error", args.at);
  }
  if (std::isinf(out) && std::isfinite(*x)) {
    return run.raise("OverflowError", "math range error", args.at);
  }
  return Value::ofFloat(out);
}

double sqrtOf(double x) { return std::sqrt(x); }
double expOf(double x) { return std::exp(x); }
double sinOf(double x) { return std::sin(x); }
double cosOf(double x) { return std::cos(x); }
double tanOf(double x) { return std::tan(x); }
double atanOf(double x) { return std::atan(x); }
double tanhOf(double x) { return std::tanh(x); }
double erfOf(double x) { return std::erf(x); }
double fabsOf(double x) { return std::fabs(x); }
double radiansOf(double x) { return x * (std::numbers::pi / 180.0); }

template <double (*Function)(double)> Value whole(Interpreter &run, Value, Arguments &args) {
  Value value = enumValue(run.fetch(argument(args, 0, "")));
  if (value.isInteger()) {
    return run.unary("+", value, args.at);
  }
  if (!value.is(Kind::Float)) {
    return support::noNumber(run, value, "a function of math", args);
  }
  if (!std::isfinite(value.real)) {
    return run.raise(std::isnan(value.real) ? "ValueError" : "OverflowError", "cannot convert float to integer",
                     args.at);
  }
  return run.heap().integer(BigInt::ofDouble(Function(value.real)));
}

double floorOf(double x) { return std::floor(x); }
double ceilOf(double x) { return std::ceil(x); }
double truncOf(double x) { return std::trunc(x); }

/// log, log2, log10: integers too large for a float are not followed.
template <int Base> Value logarithm(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  if (!x) {
    return problem.isRaised() ? run.unknown("a logarithm of a very large integer", args.at) : problem;
  }
  auto one = [&](double at) { return Base == 2 ? std::log2(at) : Base == 10 ? std::log10(at) : std::log(at); };
  if (*x <= 0) {
    return run.raise("ValueError", "math domain error", args.at);
  }
  if (Base == 0 && args.positional.size() > 1) {
    std::optional<double> base = real(run, args, 1, problem);
    if (!base) {
      return problem;
    }
    if (*base <= 0 || *base == 1) {
      return run.raise(*base == 1 ? "ZeroDivisionError" : "ValueError", "math domain error", args.at);
    }
    return Value::ofFloat(std::log(*x) / std::log(*base));
  }
  return Value::ofFloat(one(*x));
}

Value power(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  std::optional<double> y = x ? real(run, args, 1, problem) : x;
  if (!y) {
    return problem;
  }
  double out = std::pow(*x, *y);
  bool finite = std::isfinite(*x) && std::isfinite(*y);
  if (finite && !std::isfinite(out)) {
    return run.raise(std::isnan(out) || *x == 0 ? "ValueError" : "OverflowError", "math range error", args.at);
  }
  return Value::ofFloat(out);
}

template <double (*Function)(double, double)> Value binary(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  std::optional<double> y = x ? real(run, args, 1, problem) : x;
  return y ? Value::ofFloat(Function(*x, *y)) : problem;
}

double copysignOf(double x, double y) { return std::copysign(x, y); }
double atan2Of(double y, double x) { return std::atan2(y, x); }

Value floatRemainder(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  std::optional<double> y = x ? real(run, args, 1, problem) : x;
  if (!y) {
    return problem;
  }
  return *y == 0 || std::isinf(*x) ? run.raise("ValueError", "math domain error", args.at)
                                   : Value::ofFloat(std::fmod(*x, *y));
}

Value isNan(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  return x ? Value::ofBool(std::isnan(*x)) : problem;
}

Value isInf(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  return x ? Value::ofBool(std::isinf(*x)) : problem;
}

Value isFinite(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> x = real(run, args, 0, problem);
  return x ? Value::ofBool(std::isfinite(*x)) : problem;
}

/// The integers among the arguments, in magnitude and sign; false with the result to give.
bool integers(Interpreter &run, Arguments &args, std::vector<BigInt> &out, Value &problem) {
  for (Value given : args.positional) {
    Value value = enumValue(run.fetch(given));
    if (!value.isInteger()) {
      problem = value.isUnknown() ? value : run.raise("TypeError", "an integer is required", args.at);
      return false;
    }
    out.push_back(bigOf(value));
    if (!run.spend(out.back().bits() * out.back().bits() / 4096)) {
      problem = run.tooMuch();
      return false;
    }
  }
  return true;
}

BigInt gcdOf(BigInt a, BigInt b) {
  a = a.negative() ? -a : a;
  b = b.negative() ? -b : b;
  while (!b.isZero()) {
    BigInt rest = BigInt::floorMod(a, b);
    a = b;
    b = rest;
  }
  return a;
}

Value greatestDivisor(Interpreter &run, Value, Arguments &args) {
  std::vector<BigInt> all;
  Value problem;
  if (!integers(run, args, all, problem)) {
    return problem;
  }
  BigInt out = 0;
  for (const BigInt &one : all) {
    out = gcdOf(out, one);
  }
  return run.heap().integer(out);
}

Value leastMultiple(Interpreter &run, Value, Arguments &args) {
  std::vector<BigInt> all;
  Value problem;
  if (!integers(run, args, all, problem)) {
    return problem;
  }
  BigInt out = 1;
  for (const BigInt &one : all) {
    if (one.isZero()) {
      return Value::ofInt(0);
    }
    out = BigInt::floorDiv(out, gcdOf(out, one)) * (one.negative() ? -one : one);
    if (out.bits() > BigInt::kMaxBits || !run.spend(out.bits() * out.bits() / 4096)) {
      return run.tooMuch();
    }
  }
  return run.heap().integer(out);
}

Value squareRoot(Interpreter &run, Value, Arguments &args) {
  std::vector<BigInt> all;
  Value problem;
  if (!integers(run, args, all, problem) || all.size() != 1 || all[0].bits() > 1024) {
    return problem.isUnknown() || problem.isRaised() ? problem : run.unknown("`isqrt`", args.at);
  }
  if (all[0].negative()) {
    return run.raise("ValueError", "isqrt() argument must be nonnegative", args.at);
  }
  BigInt low = 0;
  BigInt high = BigInt(1).shiftLeft(all[0].bits() / 2 + 1);
  while (BigInt::compare(low, high) < 0) { // the largest whose square fits
    BigInt middle = (low + high + 1).shiftRight(1);
    if (BigInt::compare(middle * middle, all[0]) <= 0) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return run.heap().integer(low);
}

Value factorial(Interpreter &run, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  if (!value.isSmall() || value.integer > 2000) {
    return value.isUnknown() ? value : run.unknown("`factorial`", args.at);
  }
  if (value.integer < 0) {
    return run.raise("ValueError", "factorial() not defined for negative values", args.at);
  }
  if (!run.spend(static_cast<uint64_t>(value.integer * value.integer) / 2048)) {
    return run.tooMuch();
  }
  BigInt out = 1;
  for (int64_t i = 2; i <= value.integer; ++i) {
    out = out * i;
  }
  return run.heap().integer(out);
}

Value combinations(Interpreter &run, Value, Arguments &args) {
  Value n = argument(args, 0, "");
  Value k = argument(args, 1, "");
  if (!n.isSmall() || !k.isSmall() || n.integer > 2000 || n.integer < 0 || k.integer < 0) {
    return run.unknown("`comb`", args.at);
  }
  if (!run.spend(static_cast<uint64_t>(std::min(k.integer, n.integer)))) {
    return run.tooMuch();
  }
  BigInt out = k.integer > n.integer ? 0 : 1;
  for (int64_t i = 1; i <= k.integer && k.integer <= n.integer; ++i) {
    out = BigInt::floorDiv(out * (n.integer - k.integer + i), i);
  }
  return run.heap().integer(out);
}

Value productOf(Interpreter &run, Value, Arguments &args) {
  std::vector<Value> items;
  Value seen = run.iterateUnordered(argument(args, 0, ""), items, args.at);
  if (!seen.isNone()) {
    return seen;
  }
  Value out = argument(args, SIZE_MAX, "start");
  out = out.isRaised() ? Value::ofInt(1) : out;
  for (size_t i = 0; i < items.size() && !out.isLost(); ++i) {
    out = run.binary("*", out, items[i], args.at);
  }
  return out;
}

Value isClose(Interpreter &run, Value, Arguments &args) {
  Value problem;
  std::optional<double> a = real(run, args, 0, problem);
  std::optional<double> b = a ? real(run, args, 1, problem) : a;
  if (!b) {
    return problem;
  }
  Value relative = argument(args, SIZE_MAX, "rel_tol");
  Value absolute = argument(args, SIZE_MAX, "abs_tol");
  if (relative.isUnknown() || absolute.isUnknown()) {
    return relative.isUnknown() ? relative : absolute;
  }
  double rel = relative.is(Kind::Float) ? relative.real : 1e-09;
  double abs = absolute.is(Kind::Float) ? absolute.real : 0.0;
  if (*a == *b) {
    return Value::ofBool(true);
  }
  double diff = std::fabs(*b - *a);
  bool finite = std::isfinite(*a) && std::isfinite(*b);
  return Value::ofBool(finite && (diff <= std::fabs(rel * *b) || diff <= std::fabs(rel * *a) || diff <= abs));
}

struct Row {
  std::string_view name;
  BuiltinFunction function;
};

constexpr Row kFunctions[] = {
    {"sqrt", unary<sqrtOf>},
    {"exp", unary<expOf>},
    {"sin", unary<sinOf>},
    {"cos", unary<cosOf>},
    {"tan", unary<tanOf>},
    {"atan", unary<atanOf>},
    {"tanh", unary<tanhOf>},
    {"erf", unary<erfOf>},
    {"fabs", unary<fabsOf>},
    {"radians", unary<radiansOf>},
    {"floor", whole<floorOf>},
    {"ceil", whole<ceilOf>},
    {"trunc", whole<truncOf>},
    {"log", logarithm<0>},
    {"log2", logarithm<2>},
    {"log10", logarithm<10>},
    {"pow", power},
    {"copysign", binary<copysignOf>},
    {"atan2", binary<atan2Of>},
    {"fmod", floatRemainder},
    {"isnan", isNan},
    {"isinf", isInf},
    {"isfinite", isFinite},
    {"gcd", greatestDivisor},
    {"lcm", leastMultiple},
    {"isqrt", squareRoot},
    {"factorial", factorial},
    {"comb", combinations},
    {"prod", productOf},
    {"isclose", isClose},
};

} // namespace

Value mathMember(Interpreter &run, std::string_view path) {
  if (!path.starts_with("math.")) {
    return Value::raised();
  }
  std::string_view name = path.substr(5);
  if (name == "pi" || name == "e" || name == "tau" || name == "inf" || name == "nan") {
    return Value::ofFloat(name == "pi"    ? std::numbers::pi
                          : name == "e"   ? std::numbers::e
                          : name == "tau" ? 2 * std::numbers::pi
                          : name == "inf" ? INFINITY
                                          : NAN);
  }
  for (const Row &row : kFunctions) {
    if (row.name == name) {
      return run.builtin(row.name, row.function);
    }
  }
  return Value::raised();
}

} // namespace placid::py::library

namespace placid::py {

namespace {

BigInt numberOf(Value value) { return value.is(Kind::Big) ? bigOf(value) : BigInt(value.integer); }

Value bitLength(Interpreter &, Value self, Arguments &) {
  return Value::ofInt(static_cast<int64_t>(numberOf(self).bits()));
}

Value bitCount(Interpreter &, Value self, Arguments &) {
  std::string bits = numberOf(self).text(2);
  return Value::ofInt(std::count(bits.begin(), bits.end(), '1'));
}

Value isInteger(Interpreter &, Value self, Arguments &) {
  return Value::ofBool(std::isfinite(self.real) && std::floor(self.real) == self.real);
}

} // namespace

/// Methods of numbers; null for what is not followed.
BuiltinFunction numberMethod(Value base, std::string_view name) {
  if (base.is(Kind::Float)) {
    return name == "is_integer" ? isInteger : nullptr;
  }
  return name == "bit_length" ? bitLength : name == "bit_count" ? bitCount : nullptr;
}

} // namespace placid::py
