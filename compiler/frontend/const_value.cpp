// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/const_value.h"

#include <algorithm>
#include <cmath>

namespace placid::frontend {

/// Immutable while it is shared.
struct ConstItems::Shared {
  std::vector<ConstValue> values;
  size_t weight = 0;  ///< Values at any depth, and their texts in units of 64 bytes.
  unsigned depth = 0; ///< 1 without nested sequences.
};

size_t ConstItems::size() const { return shared_ ? shared_->values.size() : 0; }
size_t ConstItems::weight() const { return shared_ ? shared_->weight : 0; }
const ConstValue &ConstItems::operator[](size_t at) const { return shared_->values[at]; }
const ConstValue *ConstItems::begin() const { return shared_ ? shared_->values.data() : nullptr; }
const ConstValue *ConstItems::end() const { return begin() + size(); }

void ConstItems::detach() {
  if (shared_ && shared_.use_count() > 1) {
    shared_ = std::make_shared<Shared>(*shared_);
  }
}

ConstValue *ConstItems::begin() {
  detach();
  return shared_ ? shared_->values.data() : nullptr;
}

ConstValue *ConstItems::end() { return begin() + size(); }

ConstValue ConstValue::unknown(std::string why) {
  constexpr size_t kMaxReason = 240;
  if (why.size() > kMaxReason) {
    size_t end = kMaxReason;
    while (end > 0 && (static_cast<unsigned char>(why[end]) & 0xC0) == 0x80) {
      --end; // not inside a UTF-8 sequence
    }
    why.resize(end);
    why += "…";
    why.shrink_to_fit();
  }
  return make(Kind::Unknown, std::move(why));
}

ConstValue ConstValue::ofText(Kind kind, std::string text) {
  return text.size() > kMaxTextBytes ? unknown("the text is longer than " + std::to_string(kMaxTextBytes) + " bytes")
                                     : make(kind, std::move(text));
}

ConstValue ConstValue::ofSequence(std::vector<ConstValue> items) {
  ConstValue out = make(Kind::Sequence);
  if (items.empty()) {
    return out;
  }
  size_t weight = items.size();
  unsigned depth = 1;
  for (const ConstValue &item : items) {
    weight += item.text.size() / 64;
    if (item.items.shared_) {
      weight += item.items.shared_->weight;
      depth = std::max(depth, item.items.shared_->depth + 1);
    }
  }
  if (weight > kMaxSequenceWeight) {
    return unknown("the sequence has more than " + std::to_string(kMaxSequenceWeight) + " items");
  }
  if (depth > kMaxSequenceDepth) {
    return unknown("the sequence is nested more than " + std::to_string(kMaxSequenceDepth) + " levels deep");
  }
  out.items.shared_ = std::make_shared<ConstItems::Shared>();
  out.items.shared_->values = std::move(items);
  out.items.shared_->weight = weight;
  out.items.shared_->depth = depth;
  return out;
}

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
      if (a == 0) {
        return ConstValue::unknown("division by zero");
      }
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
    return ConstValue::ofText(Kind::Str, a.text + b.text);
  }
  if (op == "+" && a.kind == Kind::Sequence && b.kind == Kind::Sequence) {
    std::vector<ConstValue> both(a.items.begin(), a.items.end());
    both.insert(both.end(), b.items.begin(), b.items.end());
    return ConstValue::ofSequence(std::move(both));
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

namespace {

/// One of the language's own constants, of which each is equal to itself alone.
bool isName(const ConstValue &value) {
  using Kind = ConstValue::Kind;
  return value.kind == Kind::DType || value.kind == Kind::Layout || value.kind == Kind::Mem ||
         value.kind == Kind::PlPath || value.kind == Kind::DynDim || value.kind == Kind::Kernel;
}

} // namespace

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
      if (std::isnan(a.asDouble()) || std::isnan(b.asDouble())) {
        return ConstValue::ofBool(op == "!=" || op == "is not"); // equal to nothing, in no order
      }
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
  } else if (isName(a) && isName(b) && (op == "is" || op == "is not" || op == "==" || op == "!=")) {
    order = sameValue(a, b) ? 0 : 1;
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
    if (name == "distributed") {
      return ConstValue::make(ConstValue::Kind::PlPath, "pld");
    }
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
  return ConstValue::ofText(ConstValue::Kind::PlPath, name.empty() ? prefix : prefix + "." + name);
}

bool sameValue(const ConstValue &a, const ConstValue &b) {
  using Kind = ConstValue::Kind;
  if (a.kind != b.kind) {
    return false;
  }
  switch (a.kind) {
  case Kind::Unknown:
  case Kind::None:
    return true;
  case Kind::Int:
  case Kind::Bool:
    return a.integer == b.integer;
  case Kind::Float:
    return a.real == b.real;
  case Kind::Str:
  case Kind::DynDim:
  case Kind::PlPath:
  case Kind::Foreign:
    return a.text == b.text;
  case Kind::Sequence:
    return a.items.shared_ == b.items.shared_ ||
           std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), sameValue);
  case Kind::DType:
    return a.dtype == b.dtype;
  case Kind::Layout:
    return a.layout == b.layout;
  case Kind::Mem:
    return a.mem == b.mem;
  case Kind::Type:
    return a.expr == b.expr || (a.expr && b.expr && syntax::spell(*a.expr) == syntax::spell(*b.expr));
  case Kind::Kernel:
    return a.kernel == b.kernel;
  case Kind::Object:
    return a.object.object == b.object.object;
  }
  return false;
}

std::string_view dialectPrefix(std::string_view module) {
  if (module == "pypto.language") {
    return "pl";
  }
  if (module == "pypto_pro.language") {
    return "pro";
  }
  return module == "pypto.language.distributed" ? "pld" : "";
}

namespace {

constexpr size_t kMaxShown = 80; // bytes after which a message has seen enough

std::string cut(const std::string &text) {
  size_t end = std::min(text.size(), kMaxShown);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return end < text.size() ? text.substr(0, end) + "…" : text;
}

} // namespace

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
    return "\"" + cut(value.text) + "\"";
  case Kind::None:
    return "None";
  case Kind::Sequence: {
    std::string out = "[";
    for (size_t i = 0; i < value.items.size(); ++i) {
      out += i > 0 ? ", " : "";
      if (out.size() > kMaxShown) {
        return out + "…]";
      }
      out += show(value.items[i]);
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
    return "the dynamic dimension `" + cut(value.text) + "`";
  case Kind::PlPath:
  case Kind::Foreign:
    return "`" + cut(value.text) + "`";
  case Kind::Type:
    return "a type";
  case Kind::Kernel:
    return "a kernel";
  case Kind::Object:
    return "a `" + cut(value.text) + "` object";
  }
  return "";
}

} // namespace placid::frontend
