// SPDX-License-Identifier: Apache-2.0
// Element types of PTO IR and their bytes: sizes, little-endian decoding and encoding, rounding to the narrower float
// formats. Apart because arithmetic, packing and memory all need it. Knows nothing of tiles. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace placid::interp {

enum class DType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  Index,
  F8E4M3, ///< No infinities; 448 is the largest.
  F8E5M2,
  F8E8M0, ///< A power of two as its biased exponent; 255 is no number.
  HiF8,   ///< HiFloat8.
};

struct DTypeInfo {
  std::string_view name; ///< As PTO IR spells it.
  std::string_view plName;
  uint8_t bytes; ///< In memory.
  uint8_t bits;  ///< What arithmetic wraps at.
  bool isFloat;
  bool isSigned;
};

const DTypeInfo &info(DType type);
std::optional<DType> parseDType(std::string_view name);
/// By the name users write after `pl.`: "FP16", "INT8" …
std::optional<DType> parsePlDType(std::string_view name);

/// One element as arithmetic sees it: `i` for integers, `f` for floats.
struct Number {
  bool isFloat = false;
  int64_t i = 0;
  double f = 0;
  static Number ofInt(int64_t value) { return {false, value, 0}; }
  static Number ofFloat(double value) { return {true, 0, value}; }
  double asDouble() const { return isFloat ? f : static_cast<double>(i); }
};

/// `bytes` holds info(type).bytes bytes.
Number decode(DType type, const uint8_t *bytes);
/// Integers wrap at the type's width; floats round to nearest, ties to even. `value` is of the type's family.
void encode(DType type, Number value, uint8_t *bytes);
/// What a value becomes when it is stored as `type` and read again.
Number roundTo(DType type, Number value);
int64_t wrapTo(DType type, int64_t value);

/// How a float becomes an integer or a narrower float.
enum class Rounding : uint8_t { Rint, Round, Floor, Ceil, Trunc };
/// Between any two types. Floats that an integer cannot hold saturate; integers wrap when narrowed.
Number convert(Number value, DType to, Rounding rounding);

} // namespace placid::interp
