// SPDX-License-Identifier: Apache-2.0
// Python's built-in functions and classes over numbers: int, float, round and the like. Apart from builtins.cpp, which
// has those over containers and texts.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace placid::py {

namespace {

using support::argument;
using support::count;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Value makeAbs(Interpreter &run, Value, Arguments &args) {
  Value value = enumValue(argument(args, 0, ""));
  if (value.is(Kind::Float)) {
    return Value::ofFloat(std::fabs(value.real));
  }
  if (value.isInteger()) {
    return bigOf(value).negative() ? run.unary("-", value, args.at) : run.unary("+", value, args.at);
  }
  return support::noNumber(run, value, "abs()", args);
}

Value makeDivmod(Interpreter &run, Value, Arguments &args) {
  Value quotient = run.binary("//", argument(args, 0, ""), argument(args, 1, ""), args.at);
  Value remainder =
      quotient.isLost() ? quotient : run.binary("%", argument(args, 0, ""), argument(args, 1, ""), args.at);
  return remainder.isLost() ? remainder : run.tuple({quotient, remainder});
}

Value makePow(Interpreter &run, Value, Arguments &args) {
  if (count(args) == 3) {
    Value base = argument(args, 0, "base");
    Value exponent = argument(args, 1, "exp");
    Value modulus = argument(args, 2, "mod");
    if (!base.isSmall() || !exponent.isSmall() || !modulus.isSmall() || exponent.integer < 0 || modulus.integer == 0) {
      return run.unknown("`pow` with a modulus", args.at);
    }
    if (!run.spend(64)) {
      return run.tooMuch();
    }
    BigInt out = 1;
    BigInt square = BigInt::floorMod(base.integer, modulus.integer);
    for (int64_t e = exponent.integer; e > 0; e >>= 1) {
      out = e & 1 ? BigInt::floorMod(out * square, modulus.integer) : out;
      square = BigInt::floorMod(square * square, modulus.integer);
    }
    return run.heap().integer(BigInt::floorMod(out, modulus.integer));
  }
  return run.binary("**", argument(args, 0, "base"), argument(args, 1, "exp"), args.at);
}

Value makeRound(Interpreter &run, Value, Arguments &args) {
  Value value = enumValue(argument(args, 0, "number"));
  Value digits = argument(args, 1, "ndigits");
  if (value.isUnknown() || digits.isUnknown()) {
    return value.isUnknown() ? value : digits;
  }
  bool whole = digits.isRaised() || digits.isNone();
  if (value.is(Kind::Float)) {
    if (!std::isfinite(value.real)) {
      bool nan = std::isnan(value.real);
      return !whole ? value
             : nan  ? run.raise("ValueError", "cannot convert float NaN to integer", args.at)
                    : run.raise("OverflowError", "cannot convert float infinity to integer", args.at);
    }
    if (whole) {
      double rounded = std::nearbyint(value.real); // ties to even
      return run.heap().integer(BigInt::ofDouble(rounded));
    }
    if (!digits.isSmall() || digits.integer < -22 || digits.integer > 330) {
      return run.unknown("this `round`", args.at);
    }
    if (digits.integer < 0) {
      return run.unknown("`round` of a float to tens", args.at);
    }
    std::string buffer(400 + 330, '\0');
    int size = std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(digits.integer), value.real);
    buffer.resize(static_cast<size_t>(size));
    return Value::ofFloat(std::strtod(buffer.c_str(), nullptr));
  }
  if (value.isInteger()) {
    if (whole || (digits.isSmall() && digits.integer >= 0)) {
      return run.unary("+", value, args.at);
    }
    if (!digits.isSmall() || digits.integer < -1000) {
      return run.unknown("this `round`", args.at);
    }
    if (!run.spend(static_cast<uint64_t>(-digits.integer))) {
      return run.tooMuch();
    }
    BigInt unit = BigInt(10).power(static_cast<uint64_t>(-digits.integer));
    BigInt number = bigOf(value);
    BigInt quotient = BigInt::floorDiv(number, unit);
    BigInt rest = number - quotient * unit;
    int side = BigInt::compare(rest + rest, unit);
    bool odd = !BigInt::floorMod(quotient, 2).isZero();
    quotient = side > 0 || (side == 0 && odd) ? quotient + 1 : quotient;
    return run.heap().integer(quotient * unit);
  }
  return support::noNumber(run, value, "round()", args);
}

Value makeInt(Interpreter &run, Value, Arguments &args) {
  if (count(args) == 0) {
    return Value::ofInt(0);
  }
  Value value = enumValue(run.fetch(argument(args, 0, "")));
  Value base = argument(args, 1, "base");
  if (value.isUnknown() || base.isUnknown()) {
    return value.isUnknown() ? value : base;
  }
  if (value.isInteger()) {
    return run.unary("+", value, args.at);
  }
  if (value.is(Kind::Float)) {
    if (std::isnan(value.real)) {
      return run.raise("ValueError", "cannot convert float NaN to integer", args.at);
    }
    return std::isinf(value.real) ? run.raise("OverflowError", "cannot convert float infinity to integer", args.at)
                                  : run.heap().integer(BigInt::ofDouble(value.real));
  }
  if (value.is(Kind::Str)) {
    std::string_view seen = trimmed(textOf(value));
    bool negative = seen.starts_with('-');
    seen.remove_prefix(negative || seen.starts_with('+') ? 1 : 0);
    int64_t radix = base.isSmall() ? base.integer : 10;
    std::string digits;
    bool good =
        !seen.empty() && !seen.starts_with('_') && !seen.ends_with('_') && seen.find("__") == std::string_view::npos;
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
    auto prefix = [&](char mark) {
      return digits.size() > 2 && digits[0] == '0' && static_cast<char>(digits[1] | 0x20) == mark;
    };
    int64_t marked = prefix('x') ? 16 : prefix('o') ? 8 : prefix('b') ? 2 : 0;
    if (marked && (radix == marked || radix == 0)) {
      digits.erase(0, 2);
      radix = marked;
    }
    radix = radix == 0 ? 10 : radix;
    if (radix != 2 && radix != 8 && radix != 10 && radix != 16) {
      return run.unknown("`int` of base " + std::to_string(radix), args.at);
    }
    if ((radix == 10 && digits.size() > 4000) || !run.spend(digits.size() * digits.size() / 4096)) {
      return run.unknown("`int` of so many digits", args.at);
    }
    std::optional<BigInt> number = good ? BigInt::parse(digits, static_cast<unsigned>(radix)) : std::nullopt;
    if (number) {
      return run.heap().integer(negative ? -*number : *number);
    }
    Value shown = run.repr(value);
    return run.raise("ValueError",
                     "invalid literal for int() with base " + std::to_string(radix) + ": " +
                         (shown.is(Kind::Str) ? textOf(shown) : ""),
                     args.at);
  }
  if (value.is(Kind::Instance)) {
    Value method = run.classAttribute(value.as<InstanceObject>().type, "__int__")
                       ? run.attribute(value, "__int__", args.at)
                       : Value();
    return method.isLost() ? run.unknown("`int` of " + run.typeName(value), args.at)
                           : run.call(method, std::vector<Value>());
  }
  bool certain = value.isNone() || value.isSequence() || value.is(Kind::Dict);
  return certain ? run.raise("TypeError",
                             "int() argument must be a string, a bytes-like object or a real number, not '" +
                                 run.typeName(value) + "'",
                             args.at)
                 : run.unknown("`int` of " + run.typeName(value), args.at);
}

Value makeFloat(Interpreter &run, Value, Arguments &args) {
  if (count(args) == 0) {
    return Value::ofFloat(0);
  }
  Value value = enumValue(run.fetch(argument(args, 0, "")));
  if (value.is(Kind::Float) || value.isUnknown()) {
    return value;
  }
  if (value.isInteger()) {
    std::optional<double> real = bigOf(value).toDouble();
    return real ? Value::ofFloat(*real) : run.raise("OverflowError", "int too large to convert to float", args.at);
  }
  if (value.is(Kind::Str)) {
    std::string seen(trimmed(textOf(value)));
    std::string lower = seen;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    std::string bare = lower.starts_with('-') || lower.starts_with('+') ? lower.substr(1) : lower;
    char *end = nullptr;
    double real = std::strtod(seen.c_str(), &end);
    bool word = bare == "inf" || bare == "infinity" || bare == "nan";
    bool digits = !bare.empty() && bare.find_first_not_of("0123456789.e+-") == std::string::npos;
    if (!seen.empty() && *end == '\0' && (word || digits)) {
      return Value::ofFloat(real);
    }
    if (bare.find('_') != std::string::npos) {
      return run.unknown("this text as a float", args.at);
    }
    Value shown = run.repr(value);
    return run.raise("ValueError", "could not convert string to float: " + (shown.is(Kind::Str) ? textOf(shown) : ""),
                     args.at);
  }
  return run.unknown("`float` of " + run.typeName(value), args.at);
}

Value radixText(Interpreter &run, Arguments &args, unsigned base, const char *prefix) {
  Value value = enumValue(argument(args, 0, ""));
  if (!value.isInteger()) {
    return value.isUnknown() ? value : run.unknown("this number's digits", args.at);
  }
  BigInt number = bigOf(value);
  std::string digits = (number.negative() ? -number : number).text(base);
  return run.text((number.negative() ? "-" : "") + std::string(prefix) + digits);
}

Value makeHex(Interpreter &run, Value, Arguments &args) { return radixText(run, args, 16, "0x"); }
Value makeBin(Interpreter &run, Value, Arguments &args) { return radixText(run, args, 2, "0b"); }
Value makeOct(Interpreter &run, Value, Arguments &args) { return radixText(run, args, 8, "0o"); }

Value makeOrd(Interpreter &run, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  bool ascii = value.is(Kind::Str) && textOf(value).size() == 1 && static_cast<unsigned char>(textOf(value)[0]) < 0x80;
  return ascii ? Value::ofInt(textOf(value)[0]) : value.isUnknown() ? value : run.unknown("`ord`", args.at);
}

Value makeChr(Interpreter &run, Value, Arguments &args) {
  Value value = argument(args, 0, "");
  bool ascii = value.isSmall() && value.integer >= 0 && value.integer < 0x80;
  return ascii               ? run.text(std::string(1, static_cast<char>(value.integer)))
         : value.isUnknown() ? value
                             : run.unknown("`chr`", args.at);
}

struct Row {
  std::string_view name;
  BuiltinFunction function;
};

constexpr Row kFunctions[] = {
    {"abs", makeAbs}, {"divmod", makeDivmod}, {"pow", makePow}, {"round", makeRound}, {"hex", makeHex},
    {"bin", makeBin}, {"oct", makeOct},       {"ord", makeOrd}, {"chr", makeChr},
};

} // namespace

void support::addNumberFunctions(Interpreter &run, const std::function<void(std::string_view, Value)> &add) {
  for (const Row &row : kFunctions) {
    add(row.name, run.builtin(row.name, row.function));
  }
}

void support::addNumberClasses(const std::function<void(std::string_view, BuiltinFunction)> &add) {
  add("int", makeInt);
  add("float", makeFloat);
}

} // namespace placid::py
