// SPDX-License-Identifier: Apache-2.0
// Scalar arithmetic of PTO IR (arith, a little of math) and what asks for a core's identity. Integers wrap at the width
// of their type; floats round to theirs after every operation.
#include "compiler/interpreter/core.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace placid::interp {

namespace {

DType typeOf(const Statement &statement) { return statement.types.empty() ? DType::Index : statement.types[0].dtype; }
DType resultTypeOf(const Statement &statement) {
  return statement.resultTypes.empty() ? typeOf(statement) : statement.resultTypes[0].dtype;
}

std::string constant(Core &core, const Statement &statement) {
  if (statement.words.empty()) {
    return "has no value";
  }
  const std::string &text = statement.words[0];
  if (text == "dense") { // A vector: where a merge leaves how much it took of each run, which nothing reads.
    core.set(statement, Value::ofScalar(DType::I16, Number::ofInt(0)));
    return {};
  }
  DType type = text == "true" || text == "false" ? DType::I1 : typeOf(statement);
  const char *end = text.data() + text.size();
  Number value;
  if (text == "true" || text == "false") {
    value = Number::ofInt(text == "true" ? 1 : 0);
  } else if (info(type).isFloat) {
    value.isFloat = true;
    if (text.starts_with("0x")) { // the bits of the value
      uint64_t bits = 0;
      std::from_chars(text.data() + 2, end, bits, 16);
      uint8_t bytes[8];
      for (int i = 0; i < 8; ++i) {
        bytes[i] = static_cast<uint8_t>(bits >> (8 * i));
      }
      value = decode(type, bytes);
    } else if (auto [stop, error] = std::from_chars(text.data(), end, value.f); error != std::errc() || stop != end) {
      return "has the value `" + text + "`, which is no number";
    }
    value = roundTo(type, value);
  } else if (auto [stop, error] = std::from_chars(text.data(), end, value.i); error != std::errc() || stop != end) {
    return "has the value `" + text + "`, which is no integer";
  }
  core.set(statement, Value::ofScalar(type, value));
  return {};
}

std::string operands(Core &core, const Statement &statement, size_t count, Number *out, bool isFloat) {
  if (statement.operands.size() < count) {
    return "has too few operands";
  }
  for (size_t i = 0; i < count; ++i) {
    const Value &given = core.value(statement.operands[i]);
    if (given.kind != Value::Kind::Scalar || given.number.isFloat != isFloat) {
      return "has " + core.name(statement.operands[i]) + ", which is not of its type";
    }
    out[i] = given.number;
  }
  return {};
}

uint64_t asUnsigned(DType type, int64_t value) {
  unsigned bits = info(type).bits;
  return bits == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
}

int64_t floorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

/// F works on the wrapped values; division by zero and its like are faults.
template <auto F, bool Divides = false> std::string integer(Core &core, const Statement &statement) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, false); !wrong.empty()) {
    return wrong;
  }
  if (Divides && (n[1].i == 0 || (n[1].i == -1 && n[0].i == INT64_MIN))) {
    return "divides " + std::to_string(n[0].i) + " by " + std::to_string(n[1].i);
  }
  DType type = typeOf(statement);
  core.set(statement, Value::ofScalar(type, Number::ofInt(wrapTo(type, F(n[0].i, n[1].i)))));
  return {};
}

template <auto F, bool Divides = false> std::string unsignedInteger(Core &core, const Statement &statement) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, false); !wrong.empty()) {
    return wrong;
  }
  DType type = typeOf(statement);
  uint64_t b = asUnsigned(type, n[1].i);
  if (Divides && b == 0) {
    return "divides by 0";
  }
  auto result = static_cast<int64_t>(F(asUnsigned(type, n[0].i), b));
  core.set(statement, Value::ofScalar(type, Number::ofInt(wrapTo(type, result))));
  return {};
}

template <class F> std::string shift(Core &core, const Statement &statement, F function) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, false); !wrong.empty()) {
    return wrong;
  }
  DType type = typeOf(statement);
  if (n[1].i < 0 || n[1].i >= info(type).bits) {
    return "shifts by " + std::to_string(n[1].i);
  }
  core.set(statement, Value::ofScalar(type, Number::ofInt(wrapTo(type, function(type, n[0].i, n[1].i)))));
  return {};
}

template <auto F> std::string floating(Core &core, const Statement &statement) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, true); !wrong.empty()) {
    return wrong;
  }
  DType type = typeOf(statement);
  core.set(statement, Value::ofScalar(type, roundTo(type, Number::ofFloat(F(n[0].f, n[1].f)))));
  return {};
}

template <auto F> std::string floatUnary(Core &core, const Statement &statement) {
  Number n;
  if (std::string wrong = operands(core, statement, 1, &n, true); !wrong.empty()) {
    return wrong;
  }
  DType type = typeOf(statement);
  core.set(statement, Value::ofScalar(type, roundTo(type, Number::ofFloat(F(n.f)))));
  return {};
}

std::string compareIntegers(Core &core, const Statement &statement) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, false); !wrong.empty()) {
    return wrong;
  }
  const std::string &p = statement.words.empty() ? std::string() : statement.words[0];
  int64_t a = n[0].i;
  int64_t b = n[1].i;
  uint64_t ua = asUnsigned(typeOf(statement), a);
  uint64_t ub = asUnsigned(typeOf(statement), b);
  bool result = false;
  if (p == "eq") {
    result = a == b;
  } else if (p == "ne") {
    result = a != b;
  } else if (p == "slt" || p == "ult") {
    result = p[0] == 's' ? a < b : ua < ub;
  } else if (p == "sle" || p == "ule") {
    result = p[0] == 's' ? a <= b : ua <= ub;
  } else if (p == "sgt" || p == "ugt") {
    result = p[0] == 's' ? a > b : ua > ub;
  } else if (p == "sge" || p == "uge") {
    result = p[0] == 's' ? a >= b : ua >= ub;
  } else {
    return "has the predicate `" + p + "`";
  }
  core.set(statement, Value::ofScalar(DType::I1, Number::ofInt(result ? 1 : 0)));
  return {};
}

std::string compareFloats(Core &core, const Statement &statement) {
  Number n[2];
  if (std::string wrong = operands(core, statement, 2, n, true); !wrong.empty()) {
    return wrong;
  }
  std::string p = statement.words.empty() ? std::string() : statement.words[0];
  bool unordered = std::isnan(n[0].f) || std::isnan(n[1].f);
  std::string relation = p.size() == 3 ? p.substr(1) : "";
  bool result = relation == "eq"   ? n[0].f == n[1].f
                : relation == "ne" ? n[0].f != n[1].f
                : relation == "lt" ? n[0].f < n[1].f
                : relation == "le" ? n[0].f <= n[1].f
                : relation == "gt" ? n[0].f > n[1].f
                : relation == "ge" ? n[0].f >= n[1].f
                                   : false;
  if (relation.empty() || (p[0] != 'o' && p[0] != 'u')) {
    return "has the predicate `" + p + "`";
  }
  core.set(statement, Value::ofScalar(DType::I1, Number::ofInt(unordered ? (p[0] == 'u') : result)));
  return {};
}

std::string select(Core &core, const Statement &statement) {
  int64_t condition = 0;
  if (statement.operands.size() != 3) {
    return "needs three operands";
  }
  if (std::string wrong = core.scalar(statement.operands[0], condition); !wrong.empty()) {
    return wrong;
  }
  core.set(statement, core.value(statement.operands[condition != 0 ? 1 : 2]));
  return {};
}

/// Every cast between scalars; unsigned extension reads the operand as unsigned first.
template <bool Unsigned> std::string cast(Core &core, const Statement &statement) {
  if (statement.operands.empty() || core.value(statement.operands[0]).kind != Value::Kind::Scalar) {
    return "needs a scalar";
  }
  Value given = core.value(statement.operands[0]);
  DType to = resultTypeOf(statement);
  Number number = given.number;
  if (Unsigned && !number.isFloat) {
    uint64_t wide = asUnsigned(typeOf(statement), number.i);
    number = info(to).isFloat ? Number::ofFloat(static_cast<double>(wide)) : Number::ofInt(static_cast<int64_t>(wide));
  }
  core.set(statement, Value::ofScalar(to, convert(number, to, Rounding::Trunc)));
  return {};
}

/// The same bits as another type of the same width.
std::string bitcast(Core &core, const Statement &statement) {
  if (statement.operands.empty() || core.value(statement.operands[0]).kind != Value::Kind::Scalar) {
    return "needs a scalar";
  }
  const Value &given = core.value(statement.operands[0]);
  DType to = resultTypeOf(statement);
  if (info(given.dtype).bytes != info(to).bytes) {
    return "takes " + std::string(info(given.dtype).name) + " for " + std::string(info(to).name);
  }
  uint8_t bytes[8] = {};
  encode(given.dtype, given.number, bytes);
  core.set(statement, Value::ofScalar(to, decode(to, bytes)));
  return {};
}

std::string negate(Core &core, const Statement &statement) {
  Number n;
  if (std::string wrong = operands(core, statement, 1, &n, true); !wrong.empty()) {
    return wrong;
  }
  core.set(statement, Value::ofScalar(typeOf(statement), Number::ofFloat(-n.f)));
  return {};
}

template <int64_t Identity::*Member> std::string identity(Core &core, const Statement &statement) {
  DType type = statement.resultTypes.empty() ? DType::I64 : statement.resultTypes[0].dtype;
  core.set(statement, Value::ofScalar(type, Number::ofInt(core.identity().*Member)));
  return {};
}

std::string nothing(Core &, const Statement &) { return {}; }

} // namespace

void addScalarOperations(OperationTable &t) {
  t["arith.constant"] = constant;
  t["arith.addi"] = integer<[](int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }>;
  t["arith.subi"] = integer<[](int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }>;
  t["arith.muli"] = integer<[](int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }>;
  t["arith.divsi"] = integer<[](int64_t a, int64_t b) { return a / b; }, true>;
  t["arith.remsi"] = integer<[](int64_t a, int64_t b) { return a % b; }, true>;
  t["arith.floordivsi"] = integer<[](int64_t a, int64_t b) { return floorDiv(a, b); }, true>;
  t["arith.ceildivsi"] = integer<[](int64_t a, int64_t b) { return -floorDiv(-a, b); }, true>;
  t["arith.minsi"] = integer<[](int64_t a, int64_t b) { return a < b ? a : b; }>;
  t["arith.maxsi"] = integer<[](int64_t a, int64_t b) { return b < a ? a : b; }>;
  t["arith.andi"] = integer<[](int64_t a, int64_t b) { return a & b; }>;
  t["arith.ori"] = integer<[](int64_t a, int64_t b) { return a | b; }>;
  t["arith.xori"] = integer<[](int64_t a, int64_t b) { return a ^ b; }>;
  t["arith.divui"] = unsignedInteger<[](uint64_t a, uint64_t b) { return a / b; }, true>;
  t["arith.remui"] = unsignedInteger<[](uint64_t a, uint64_t b) { return a % b; }, true>;
  t["arith.minui"] = unsignedInteger<[](uint64_t a, uint64_t b) { return a < b ? a : b; }>;
  t["arith.maxui"] = unsignedInteger<[](uint64_t a, uint64_t b) { return b < a ? a : b; }>;
  t["arith.shli"] = [](Core &core, const Statement &statement) {
    return shift(core, statement,
                 [](DType, int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) << b); });
  };
  t["arith.shrsi"] = [](Core &core, const Statement &statement) {
    return shift(core, statement, [](DType, int64_t a, int64_t b) { return a >> b; });
  };
  t["arith.shrui"] = [](Core &core, const Statement &statement) {
    return shift(core, statement,
                 [](DType type, int64_t a, int64_t b) { return static_cast<int64_t>(asUnsigned(type, a) >> b); });
  };
  t["arith.addf"] = floating<[](double a, double b) { return a + b; }>;
  t["arith.subf"] = floating<[](double a, double b) { return a - b; }>;
  t["arith.mulf"] = floating<[](double a, double b) { return a * b; }>;
  t["arith.divf"] = floating<[](double a, double b) { return a / b; }>;
  t["arith.remf"] = floating<[](double a, double b) { return std::fmod(a, b); }>;
  for (const char *name : {"arith.maximumf", "arith.maxnumf"}) {
    t[name] = floating<[](double a, double b) { return std::fmax(a, b); }>;
  }
  for (const char *name : {"arith.minimumf", "arith.minnumf"}) {
    t[name] = floating<[](double a, double b) { return std::fmin(a, b); }>;
  }
  t["arith.negf"] = negate;
  t["arith.cmpi"] = compareIntegers;
  t["arith.cmpf"] = compareFloats;
  t["arith.select"] = select;
  for (const char *name : {"arith.index_cast", "arith.extsi", "arith.trunci", "arith.sitofp", "arith.fptosi",
                           "arith.extf", "arith.truncf", "builtin.unrealized_conversion_cast"}) {
    t[name] = cast<false>;
  }
  for (const char *name : {"arith.index_castui", "arith.extui", "arith.uitofp", "arith.fptoui"}) {
    t[name] = cast<true>;
  }
  t["arith.bitcast"] = bitcast;
  t["math.exp"] = floatUnary<[](double a) { return std::exp(a); }>;
  t["math.sqrt"] = floatUnary<[](double a) { return std::sqrt(a); }>;
  t["math.log"] = floatUnary<[](double a) { return std::log(a); }>;
  t["math.absf"] = floatUnary<[](double a) { return std::fabs(a); }>;
  t["pto.get_block_idx"] = identity<&Identity::block>;
  t["pto.get_block_num"] = identity<&Identity::blocks>;
  t["pto.get_subblock_idx"] = identity<&Identity::subblock>;
  t["pto.get_subblock_num"] = identity<&Identity::subblocks>;
  // Order between pipes: operations run in program order here, so there is nothing to wait for.
  for (const char *name : {"pto.barrier", "pto.set_flag", "pto.wait_flag", "pto.record_event", "pto.wait_event",
                           "pto.tsync", "pto.get_buf", "pto.rls_buf", "pto.tprefetch"}) {
    t[name] = nothing;
  }
}

} // namespace placid::interp
