// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace placid::interp {

namespace {

constexpr std::array<DTypeInfo, 17> kTypes = {{
    {"i1", "BOOL", 1, 1, false, false},
    {"i8", "INT8", 1, 8, false, true},
    {"i16", "INT16", 2, 16, false, true},
    {"i32", "INT32", 4, 32, false, true},
    {"i64", "INT64", 8, 64, false, true},
    {"ui8", "UINT8", 1, 8, false, false},
    {"ui16", "UINT16", 2, 16, false, false},
    {"ui32", "UINT32", 4, 32, false, false},
    {"ui64", "UINT64", 8, 64, false, false},
    {"f16", "FP16", 2, 16, true, true},
    {"bf16", "BF16", 2, 16, true, true},
    {"f32", "FP32", 4, 32, true, true},
    {"index", "INDEX", 8, 64, false, true},
    {"f8E4M3FN", "FP8E4M3FN", 1, 8, true, true},
    {"f8E5M2", "FP8E5M2", 1, 8, true, true},
    {"!pto.f8E8M0", "FP8E8M0", 1, 8, true, false},
    {"!pto.hif8", "HF8", 1, 8, true, true},
}};

double halfToDouble(uint16_t half) {
  int exponent = (half >> 10) & 31;
  int mantissa = half & 1023;
  double sign = (half & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

/// `value` to the nearest multiple of a power of two, ties to even.
double nearestStep(double value, int exponent) {
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

uint16_t doubleToHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double size = std::fabs(value);
  if (std::isnan(value)) {
    return 0x7E00;
  }
  int exponent = 0;
  std::frexp(size, &exponent); // size = m * 2^exponent, m in [0.5, 1)
  double rounded = size == 0 || std::isinf(size) ? size : nearestStep(size, std::max(exponent - 11, -24));
  if (rounded >= 65536.0 || std::isinf(rounded)) {
    return sign | 0x7C00;
  }
  if (rounded < std::ldexp(1.0, -14)) {
    return sign | static_cast<uint16_t>(std::ldexp(rounded, 24));
  }
  std::frexp(rounded, &exponent);
  auto mantissa = static_cast<uint16_t>(std::ldexp(rounded, 11 - exponent)); // 1024 … 2047
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10) | (mantissa & 1023));
}

uint16_t doubleToBfloat(double value) {
  // Through float would round twice; a double of at most 24 significant bits is a float, all others are nudged to odd.
  auto single = static_cast<float>(value);
  auto bits = std::bit_cast<uint32_t>(single);
  if (std::isnan(value)) {
    return 0x7FC0;
  }
  if (!std::isinf(single) && static_cast<double>(single) != value) {
    // Round to odd: the float towards zero of `value`, with its last bit set.
    if (std::fabs(static_cast<double>(single)) > std::fabs(value)) {
      --bits;
    }
    bits |= 1;
  }
  uint32_t low = bits & 0xFFFF;
  uint32_t high = bits >> 16;
  if (low > 0x8000 || (low == 0x8000 && (high & 1) != 0)) {
    ++high;
  }
  return static_cast<uint16_t>(high);
}

/// The formats of eight bits with a fixed field of each.
struct ByteFormat {
  int exponentBits;
  int mantissaBits;
  int largest; ///< The code of the largest finite number.
  bool infinite;
};
constexpr ByteFormat kE4M3 = {4, 3, 0x7E, false};
constexpr ByteFormat kE5M2 = {5, 2, 0x7B, true};

double byteToDouble(uint8_t code, const ByteFormat &format) {
  int magnitude = code & 0x7F;
  double sign = (code & 0x80) != 0 ? -1.0 : 1.0;
  if (magnitude > format.largest) {
    bool infinite = format.infinite && magnitude == format.largest + 1;
    return std::copysign(infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN(),
                         sign);
  }
  int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
  int exponent = magnitude >> format.mantissaBits;
  int bias = (1 << (format.exponentBits - 1)) - 1;
  int whole = exponent == 0 ? mantissa : mantissa + (1 << format.mantissaBits);
  return sign * std::ldexp(whole, std::max(exponent, 1) - bias - format.mantissaBits);
}

/// HiFloat8: the bits behind the sign begin with how many the exponent has. That is a sign and a magnitude whose
/// leading one is not written; without any of it the value is a power of two far below.
double hiToDouble(uint8_t code) {
  double sign = (code & 0x80) != 0 ? -1.0 : 1.0;
  int rest = code & 0x7F;
  if (rest < 8) {
    return rest != 0 ? sign * std::ldexp(1.0, rest - 23) : sign > 0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  }
  int exponentBits = rest >= 0x60 ? 4 : rest >= 0x40 ? 3 : rest >= 0x20 ? 2 : rest >= 0x10 ? 1 : 0;
  int mantissaBits = exponentBits >= 2 ? 5 - exponentBits : 3;
  int mantissa = rest & ((1 << mantissaBits) - 1);
  int field = (rest >> mantissaBits) & ((1 << exponentBits) - 1);
  int exponent = 0;
  if (exponentBits > 0) {
    int top = 1 << (exponentBits - 1);
    int magnitude = top | (field & (top - 1));
    exponent = (field & top) != 0 ? -magnitude : magnitude;
  }
  if (exponent == 15 && mantissa == 1) {
    return sign * std::numeric_limits<double>::infinity();
  }
  return sign * std::ldexp((1 << mantissaBits) + mantissa, exponent - mantissaBits);
}

double codeToDouble(DType type, uint8_t code) {
  switch (type) {
  case DType::F8E4M3:
    return byteToDouble(code, kE4M3);
  case DType::F8E5M2:
    return byteToDouble(code, kE5M2);
  case DType::F8E8M0:
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
  default:
    return hiToDouble(code);
  }
}

/// The code of the number that is nearest; of two that are, the even code, and of HiFloat8 the one away from zero. What
/// is larger than all finite numbers becomes the largest of them.
uint8_t doubleToCode(DType type, double value) {
  bool negative = std::signbit(value);
  int first = negative && type != DType::F8E8M0 ? 0x80 : 0;
  int count = type == DType::F8E8M0 ? 256 : 128;
  int best = -1;
  double distance = 0;
  for (int code = first; code < first + count; ++code) {
    double candidate = codeToDouble(type, static_cast<uint8_t>(code));
    if (candidate == value || (std::isnan(value) && std::isnan(candidate))) {
      return static_cast<uint8_t>(code);
    }
    if (!std::isfinite(candidate)) {
      continue;
    }
    double away = std::fabs(candidate - value);
    bool closer = best < 0 || away < distance;
    bool tie = best >= 0 && away == distance &&
               (type == DType::HiF8 ? std::fabs(candidate) > std::fabs(value) : (code & 1) == 0);
    if (closer || tie) {
      best = code;
      distance = away;
    }
  }
  if (best < 0 || std::isnan(value)) {
    return type == DType::F8E8M0 ? 255 : type == DType::HiF8 ? 0x80 : static_cast<uint8_t>(first | 0x7F);
  }
  return static_cast<uint8_t>(best);
}

template <class T> T read(const uint8_t *bytes) {
  T out;
  std::memcpy(&out, bytes, sizeof(T));
  return out;
}

double rounded(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Rint:
    return std::nearbyint(value);
  case Rounding::Round:
    return std::round(value);
  case Rounding::Floor:
    return std::floor(value);
  case Rounding::Ceil:
    return std::ceil(value);
  case Rounding::Trunc:
    return std::trunc(value);
  }
  return value;
}

/// `value` with the significant bits of `to`, rounded as asked. Infinities and what overflows are left to encoding.
double narrowed(double value, DType to, Rounding rounding) {
  if (value == 0 || !std::isfinite(value)) {
    return value;
  }
  if (info(to).bytes == 1) {
    return value; // only the nearest is known
  }
  int bits = to == DType::F16 ? 11 : to == DType::BF16 ? 8 : 24;
  int smallest = to == DType::F16 ? -24 : to == DType::BF16 ? -133 : -149;
  int exponent = 0;
  std::frexp(value, &exponent);
  int step = std::max(exponent - bits, smallest);
  return std::ldexp(rounded(std::ldexp(value, -step), rounding), step);
}

int64_t saturated(double value, const DTypeInfo &to) {
  if (std::isnan(value)) {
    return 0;
  }
  int bits = to.isSigned ? to.bits - 1 : to.bits;
  double top = std::ldexp(1.0, bits);
  if (value >= top) {
    return to.isSigned || to.bits < 64 ? static_cast<int64_t>((uint64_t{1} << bits) - 1) : -1;
  }
  double bottom = to.isSigned ? -top : 0.0;
  if (value <= bottom) {
    return to.isSigned ? -static_cast<int64_t>((uint64_t{1} << bits) - 1) - 1 : 0;
  }
  return !to.isSigned && to.bits == 64 ? static_cast<int64_t>(static_cast<uint64_t>(value))
                                       : static_cast<int64_t>(value);
}

} // namespace

const DTypeInfo &info(DType type) { return kTypes[static_cast<size_t>(type)]; }

std::optional<DType> parseDType(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

std::optional<DType> parsePlDType(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].plName == name) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

int64_t wrapTo(DType type, int64_t value) {
  unsigned bits = info(type).bits;
  if (bits == 64) {
    return value;
  }
  if (type == DType::I1) {
    return value & 1;
  }
  uint64_t kept = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  if (info(type).isSigned && (kept >> (bits - 1)) != 0) {
    kept |= ~((uint64_t{1} << bits) - 1);
  }
  return static_cast<int64_t>(kept);
}

Number decode(DType type, const uint8_t *bytes) {
  switch (type) {
  case DType::I1:
    return Number::ofInt(bytes[0] & 1);
  case DType::I8:
    return Number::ofInt(read<int8_t>(bytes));
  case DType::U8:
    return Number::ofInt(bytes[0]);
  case DType::I16:
    return Number::ofInt(read<int16_t>(bytes));
  case DType::U16:
    return Number::ofInt(read<uint16_t>(bytes));
  case DType::I32:
    return Number::ofInt(read<int32_t>(bytes));
  case DType::U32:
    return Number::ofInt(read<uint32_t>(bytes));
  case DType::I64:
  case DType::U64:
  case DType::Index:
    return Number::ofInt(read<int64_t>(bytes));
  case DType::F16:
    return Number::ofFloat(halfToDouble(read<uint16_t>(bytes)));
  case DType::BF16:
    return Number::ofFloat(std::bit_cast<float>(static_cast<uint32_t>(read<uint16_t>(bytes)) << 16));
  case DType::F32:
    return Number::ofFloat(read<float>(bytes));
  case DType::F8E4M3:
  case DType::F8E5M2:
  case DType::F8E8M0:
  case DType::HiF8:
    return Number::ofFloat(codeToDouble(type, bytes[0]));
  }
  return {};
}

void encode(DType type, Number value, uint8_t *bytes) {
  switch (type) {
  case DType::F16: {
    uint16_t half = doubleToHalf(value.asDouble());
    std::memcpy(bytes, &half, sizeof half);
    return;
  }
  case DType::BF16: {
    uint16_t brain = doubleToBfloat(value.asDouble());
    std::memcpy(bytes, &brain, sizeof brain);
    return;
  }
  case DType::F32: {
    auto single = static_cast<float>(value.asDouble());
    std::memcpy(bytes, &single, sizeof single);
    return;
  }
  case DType::F8E4M3:
  case DType::F8E5M2:
  case DType::F8E8M0:
  case DType::HiF8:
    bytes[0] = doubleToCode(type, value.asDouble());
    return;
  default: {
    int64_t wrapped = wrapTo(type, value.i);
    std::memcpy(bytes, &wrapped, info(type).bytes);
    return;
  }
  }
}

Number roundTo(DType type, Number value) {
  uint8_t bytes[8] = {};
  encode(type, value, bytes);
  return decode(type, bytes);
}

Number convert(Number value, DType to, Rounding rounding) {
  const DTypeInfo &target = info(to);
  if (target.isFloat) {
    // Rounded by hand first, so that encoding, which takes the nearest, finds an exact value.
    return roundTo(to, Number::ofFloat(narrowed(value.asDouble(), to, rounding)));
  }
  if (value.isFloat) {
    return Number::ofInt(saturated(rounded(value.f, rounding), target));
  }
  return Number::ofInt(wrapTo(to, value.i));
}

} // namespace placid::interp
