// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/const_value.h"

#include <cmath>

namespace placid::frontend {

namespace {

const char *const kTooLarge = "the integer does not fit 64 bits";

ConstValue foldInts(std::string_view op, int64_t a, int64_t b) {
  int64_t out = 0;
  if (op == "+") {
    return __builtin_add_overflow(a, b, &out) ? ConstValue::unknown(kTooLarge) : ConstValue::ofInt(out);
  }
  if (op == "-") {
    return __builtin_sub_overflow(a, b, &out) ? ConstValue::unknown(kTooLarge) : ConstValue::ofInt(out);
  }
  if (op == "*") {
    return __builtin_mul_overflow(a, b, &out) ? ConstValue::unknown(kTooLarge) : ConstValue::ofInt(out);
  }
  if (op == "//" || op == "%" || op == "/") {
    if (b == 0) {
      return ConstValue::unknown("division by zero");
    }
    if (op == "/") {
      return ConstValue::ofFloat(static_cast<double>(a) / static_cast<double>(b));
    }
    if (a == INT64_MIN && b == -1) {
      return ConstValue::unknown(kTooLarge);
    }
    return ConstValue::ofInt(op == "//" ? floorDiv(a, b) : floorMod(a, b));
  }
  if (op == "<<" || op == ">>") {
    if (b < 0) {
      return ConstValue::unknown("negative shift count");
    }
    if (op == ">>") {
      return ConstValue::ofInt(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
    }
    if (a == 0) {
      return ConstValue::ofInt(0);
    }
    if (b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &out)) {
      return ConstValue::unknown(kTooLarge);
    }
    return ConstValue::ofInt(out);
  }
  if (op == "**") {
    if (b < 0) {
      return ConstValue::ofFloat(std::pow(static_cast<double>(a), static_cast<double>(b)));
    }
    out = 1;
    for (int64_t i = 0; i < b; ++i) {
      if ((a == 1 || a == 0) && i > 0) {
        break;
      }
      if (a == -1 && i > 1) {
        return ConstValue::ofInt(b % 2 == 0 ? 1 : -1);
      }
      if (__builtin_mul_overflow(out, a, &out)) {
        return ConstValue::unknown(kTooLarge);
      }
    }
    return ConstValue::ofInt(out);
  }
  if (op == "&") {
    return ConstValue::ofInt(a & b);
  }
  if (op == "|") {
    return ConstValue::ofInt(a | b);
  }
  if (op == "^") {
    return ConstValue::ofInt(a ^ b);
  }
  return ConstValue::unknown("operator `" + std::string(op) + "`");
}

ConstValue foldFloats(std::string_view op, double a, double b) {
  if (op == "+") {
    return ConstValue::ofFloat(a + b);
  }
  if (op == "-") {
    return ConstValue::ofFloat(a - b);
  }
  if (op == "*") {
    return ConstValue::ofFloat(a * b);
  }
  if (op == "**") {
    return ConstValue::ofFloat(std::pow(a, b));
  }
  if (op == "/" || op == "//" || op == "%") {
    if (b == 0) {
      return ConstValue::unknown("division by zero");
    }
    if (op == "/") {
      return ConstValue::ofFloat(a / b);
    }
    double quotient = std::floor(a / b);
    return ConstValue::ofFloat(op == "//" ? quotient : a - quotient * b);
  }
  return ConstValue::unknown("operator `" + std::string(op) + "` on floats");
}

} // namespace

int64_t floorDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

bool ConstValue::truthy() const {
  switch (kind) {
  case Kind::Int:
  case Kind::Bool:
    return integer != 0;
  case Kind::Float:
    return real != 0;
  case Kind::Str:
    return !text.empty();
  case Kind::Sequence:
    return !items.empty();
  case Kind::None:
    return false;
  default:
    return true;
  }
}

ConstValue foldBinary(std::string_view op, const ConstValue &a, const ConstValue &b) {
  using Kind = ConstValue::Kind;
  if (a.isUnknown()) {
    return a;
  }
  if (b.isUnknown()) {
    return b;
  }
  bool ints = (a.isInt() || a.isBool()) && (b.isInt() || b.isBool());
  if (ints) {
    return foldInts(op, a.integer, b.integer);
  }
  if (a.isNumber() && b.isNumber()) {
    return foldFloats(op, a.asDouble(), b.asDouble());
  }
  if (op == "+" && a.kind == Kind::Str && b.kind == Kind::Str) {
    return ConstValue::make(Kind::Str, a.text + b.text);
  }
  if (op == "+" && a.kind == Kind::Sequence && b.kind == Kind::Sequence) {
    ConstValue out = a;
    out.items.insert(out.items.end(), b.items.begin(), b.items.end());
    return out;
  }
  return ConstValue::unknown("operator `" + std::string(op) + "` on these values");
}

ConstValue foldUnary(std::string_view op, const ConstValue &a) {
  if (a.isUnknown()) {
    return a;
  }
  if (op == "not") {
    return ConstValue::ofBool(!a.truthy());
  }
  if (op == "+" && a.isNumber()) {
    return a;
  }
  if (op == "-" && a.isFloat()) {
    return ConstValue::ofFloat(-a.real);
  }
  if (op == "-" && (a.isInt() || a.isBool())) {
    return foldInts("-", 0, a.integer);
  }
  if (op == "~" && (a.isInt() || a.isBool())) {
    return ConstValue::ofInt(~a.integer);
  }
  return ConstValue::unknown("operator `" + std::string(op) + "` on this value");
}

ConstValue foldCompare(std::string_view op, const ConstValue &a, const ConstValue &b) {
  using Kind = ConstValue::Kind;
  if (a.isUnknown()) {
    return a;
  }
  if (b.isUnknown()) {
    return b;
  }
  int order = 0;
  if (a.isNumber() && b.isNumber()) {
    if (a.isFloat() || b.isFloat()) {
      order = a.asDouble() < b.asDouble() ? -1 : a.asDouble() > b.asDouble() ? 1 : 0;
    } else {
      order = a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
    }
  } else if (a.kind == Kind::Str && b.kind == Kind::Str) {
    order = a.text.compare(b.text);
  } else if (a.kind == Kind::None || b.kind == Kind::None) {
    order = a.kind == b.kind ? 0 : 1;
    if (op != "is" && op != "is not" && op != "==" && op != "!=") {
      return ConstValue::unknown("ordering with None");
    }
  } else {
    return ConstValue::unknown("a comparison of these values");
  }
  if (op == "==" || op == "is") {
    return ConstValue::ofBool(order == 0);
  }
  if (op == "!=" || op == "is not") {
    return ConstValue::ofBool(order != 0);
  }
  if (op == "<") {
    return ConstValue::ofBool(order < 0);
  }
  if (op == "<=") {
    return ConstValue::ofBool(order <= 0);
  }
  if (op == ">") {
    return ConstValue::ofBool(order > 0);
  }
  if (op == ">=") {
    return ConstValue::ofBool(order >= 0);
  }
  return ConstValue::unknown("operator `" + std::string(op) + "`");
}

ConstValue plName(const std::string &prefix, const std::string &name) {
  ConstValue out;
  if (prefix == "pl") {
    if (auto dtype = pl::dtypeFromPlName(name)) {
      out.kind = ConstValue::Kind::DType;
      out.dtype = *dtype;
      return out;
    }
    std::string layout = name.starts_with("TensorLayout.") ? name.substr(13) : name;
    for (pl::Layout candidate :
         {pl::Layout::ND, pl::Layout::DN, pl::Layout::NZ, pl::Layout::MxAZZ, pl::Layout::MxBNN}) {
      if (layout == pl::plName(candidate)) {
        out.kind = ConstValue::Kind::Layout;
        out.layout = candidate;
        return out;
      }
    }
    std::string space = name.starts_with("Mem.")           ? name.substr(4)
                        : name.starts_with("MemorySpace.") ? name.substr(12)
                                                           : "";
    for (pl::Mem candidate : {pl::Mem::Vec, pl::Mem::Mat, pl::Mem::Left, pl::Mem::Right, pl::Mem::Acc, pl::Mem::Bias,
                              pl::Mem::LeftScale, pl::Mem::RightScale, pl::Mem::DDR}) {
      if (!space.empty() && space == pl::plName(candidate)) {
        out.kind = ConstValue::Kind::Mem;
        out.mem = candidate;
        return out;
      }
    }
  }
  out.kind = ConstValue::Kind::PlPath;
  out.text = name.empty() ? prefix : prefix + "." + name;
  return out;
}

std::string show(const ConstValue &value) {
  using Kind = ConstValue::Kind;
  switch (value.kind) {
  case Kind::Unknown:
    return "an unknown value";
  case Kind::Int:
    return std::to_string(value.integer);
  case Kind::Float: {
    std::string digits = std::to_string(value.real);
    while (digits.size() > 1 && digits.back() == '0' && digits[digits.size() - 2] != '.') {
      digits.pop_back();
    }
    return digits;
  }
  case Kind::Bool:
    return value.integer ? "True" : "False";
  case Kind::Str:
    return "\"" + value.text + "\"";
  case Kind::None:
    return "None";
  case Kind::Sequence: {
    std::string out = "[";
    for (size_t i = 0; i < value.items.size(); ++i) {
      out += (i > 0 ? ", " : "") + show(value.items[i]);
    }
    return out + "]";
  }
  case Kind::DType:
    return "pl." + pl::plName(value.dtype).str();
  case Kind::Layout:
    return "pl." + pl::plName(value.layout).str();
  case Kind::Mem:
    return "pl.Mem." + pl::plName(value.mem).str();
  case Kind::DynDim:
    return "the dynamic dimension `" + value.text + "`";
  case Kind::PlPath:
  case Kind::Foreign:
    return "`" + value.text + "`";
  case Kind::Type:
    return "a type";
  case Kind::Kernel:
    return "a kernel";
  }
  return "";
}

} // namespace placid::frontend
