// SPDX-License-Identifier: Apache-2.0
#include "compiler/evaluator/big_int.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace placid::py {

namespace {

using Int = boost::multiprecision::cpp_int;

Int magnitude(const Int &value) { return value < 0 ? Int(-value) : value; }

uint64_t bitsOf(const Int &value) { return value == 0 ? 0 : uint64_t{msb(magnitude(value))} + 1; }

/// q and r with a = q * b + r and r between 0 and b.
void floorDivMod(const Int &a, const Int &b, Int &quotient, Int &remainder) {
  divide_qr(a, b, quotient, remainder);
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    quotient -= 1;
    remainder += b;
  }
}

/// mantissa * 2^exponent rounded to nearest even; `sticky` says that something below was cut off.
std::optional<double> rounded(Int mantissa, int64_t exponent, bool sticky, bool negative) {
  if (mantissa == 0) {
    return negative ? -0.0 : 0.0;
  }
  auto size = static_cast<int64_t>(bitsOf(mantissa));
  // Bits to keep: 53, fewer for subnormal results.
  int64_t lowest = std::max<int64_t>(size + exponent - 53, -1074);
  int64_t drop = lowest - exponent;
  if (drop > 0) {
    Int low = mantissa & ((Int(1) << static_cast<unsigned>(drop)) - 1);
    Int half = Int(1) << static_cast<unsigned>(drop - 1);
    mantissa >>= static_cast<unsigned>(drop);
    bool up = low > half || (low == half && (sticky || (mantissa & 1) != 0));
    mantissa += up ? 1 : 0;
    exponent = lowest;
  }
  // Without dropped bits the mantissa is exact in 53 bits.
  double value = std::ldexp(static_cast<double>(static_cast<uint64_t>(mantissa)), static_cast<int>(exponent));
  if (std::isinf(value)) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

/// Bit operations on two's complement of unbounded width.
template <class Op> Int bitwise(const Int &a, const Int &b, Op op) {
  if (a >= 0 && b >= 0) {
    return op(a, b);
  }
  auto width = static_cast<unsigned>(std::max(bitsOf(a), bitsOf(b)) + 2);
  Int modulus = Int(1) << width;
  Int left = a < 0 ? Int(a + modulus) : a;
  Int right = b < 0 ? Int(b + modulus) : b;
  Int out = op(left, right);
  return bit_test(out, width - 1) ? Int(out - modulus) : out;
}

} // namespace

struct BigInt::Rep {
  Int value;
};

namespace {
template <class Rep> std::shared_ptr<const Rep> share(Int value) {
  return std::make_shared<const Rep>(Rep{std::move(value)});
}
} // namespace

BigInt::BigInt(int64_t value) : rep_(share<Rep>(Int(value))) {}

std::optional<BigInt> BigInt::parse(std::string_view digits, unsigned base) {
  if (digits.empty() || digits.size() > kMaxBits / 4) {
    return std::nullopt;
  }
  Int value = 0;
  for (char c : digits) {
    unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                     : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                            : 99;
    if (digit >= base) {
      return std::nullopt;
    }
    value *= base;
    value += digit;
  }
  return BigInt(share<Rep>(std::move(value)));
}

BigInt BigInt::ofDouble(double value) {
  int exponent = 0;
  double fraction = std::frexp(std::trunc(value), &exponent); // value = fraction * 2^exponent
  auto mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  Int out = mantissa;
  exponent -= 53;
  bool negative = out < 0;
  out = magnitude(out);
  if (exponent >= 0) {
    out <<= static_cast<unsigned>(exponent);
  } else {
    out >>= static_cast<unsigned>(-exponent);
  }
  return BigInt(share<Rep>(negative ? Int(-out) : out));
}

bool BigInt::fits64() const { return rep_->value >= INT64_MIN && rep_->value <= INT64_MAX; }
int64_t BigInt::to64() const { return static_cast<int64_t>(rep_->value); }
bool BigInt::isZero() const { return rep_->value == 0; }
bool BigInt::negative() const { return rep_->value < 0; }
uint64_t BigInt::bits() const { return bitsOf(rep_->value); }

std::string BigInt::text(unsigned base) const {
  if (base == 10) {
    return rep_->value.str();
  }
  // Powers of two, from the bits: long ones cost no more than their length.
  std::vector<uint8_t> bytes;
  export_bits(magnitude(rep_->value), std::back_inserter(bytes), 8, /*msv_first=*/false);
  const size_t width = base == 16 ? 4 : base == 8 ? 3 : 1;
  const size_t bits = bytes.size() * 8;
  std::string out;
  for (size_t at = 0; at < bits; at += width) {
    unsigned digit = 0;
    for (size_t i = at; i < std::min(at + width, bits); ++i) {
      digit |= (bytes[i / 8] >> (i % 8) & 1U) << (i - at);
    }
    out += "0123456789abcdef"[digit];
  }
  while (out.size() > 1 && out.back() == '0') {
    out.pop_back();
  }
  out += negative() ? "-" : "";
  std::reverse(out.begin(), out.end());
  return out;
}

std::optional<double> BigInt::toDouble() const { return rounded(magnitude(rep_->value), 0, false, negative()); }

BigInt operator+(const BigInt &a, const BigInt &b) { return BigInt(share<BigInt::Rep>(a.rep_->value + b.rep_->value)); }
BigInt operator-(const BigInt &a, const BigInt &b) { return BigInt(share<BigInt::Rep>(a.rep_->value - b.rep_->value)); }
BigInt operator*(const BigInt &a, const BigInt &b) { return BigInt(share<BigInt::Rep>(a.rep_->value * b.rep_->value)); }
BigInt operator&(const BigInt &a, const BigInt &b) {
  auto op = [](const Int &x, const Int &y) { return Int(x & y); };
  return BigInt(share<BigInt::Rep>(bitwise(a.rep_->value, b.rep_->value, op)));
}
BigInt operator|(const BigInt &a, const BigInt &b) {
  auto op = [](const Int &x, const Int &y) { return Int(x | y); };
  return BigInt(share<BigInt::Rep>(bitwise(a.rep_->value, b.rep_->value, op)));
}
BigInt operator^(const BigInt &a, const BigInt &b) {
  auto op = [](const Int &x, const Int &y) { return Int(x ^ y); };
  return BigInt(share<BigInt::Rep>(bitwise(a.rep_->value, b.rep_->value, op)));
}
BigInt BigInt::operator-() const { return BigInt(share<Rep>(-rep_->value)); }
BigInt BigInt::shiftLeft(uint64_t count) const {
  return BigInt(share<Rep>(rep_->value << static_cast<unsigned>(count)));
}

BigInt BigInt::shiftRight(uint64_t count) const {
  if (count > kMaxBits * 2) {
    return negative() ? -1 : 0;
  }
  Int quotient;
  Int remainder;
  floorDivMod(rep_->value, Int(1) << static_cast<unsigned>(count), quotient, remainder);
  return BigInt(share<Rep>(std::move(quotient)));
}

BigInt BigInt::power(uint64_t exponent) const {
  return BigInt(share<Rep>(boost::multiprecision::pow(rep_->value, static_cast<unsigned>(exponent))));
}

BigInt BigInt::floorDiv(const BigInt &a, const BigInt &b) {
  Int quotient;
  Int remainder;
  floorDivMod(a.rep_->value, b.rep_->value, quotient, remainder);
  return BigInt(share<Rep>(std::move(quotient)));
}

BigInt BigInt::floorMod(const BigInt &a, const BigInt &b) {
  Int quotient;
  Int remainder;
  floorDivMod(a.rep_->value, b.rep_->value, quotient, remainder);
  return BigInt(share<Rep>(std::move(remainder)));
}

std::optional<double> BigInt::trueDiv(const BigInt &a, const BigInt &b) {
  Int left = magnitude(a.rep_->value);
  Int right = magnitude(b.rep_->value);
  bool negative = a.negative() != b.negative();
  // At least 66 bits of quotient, so that what is cut off only matters as "something".
  int64_t shift = 66 - (static_cast<int64_t>(bitsOf(left)) - static_cast<int64_t>(bitsOf(right)));
  if (shift > 0) {
    left <<= static_cast<unsigned>(shift);
  } else {
    right <<= static_cast<unsigned>(-shift);
  }
  Int quotient;
  Int remainder;
  divide_qr(left, right, quotient, remainder);
  return rounded(std::move(quotient), -shift, remainder != 0, negative);
}

int BigInt::compare(const BigInt &a, const BigInt &b) {
  return a.rep_->value < b.rep_->value ? -1 : a.rep_->value > b.rep_->value ? 1 : 0;
}

} // namespace placid::py
