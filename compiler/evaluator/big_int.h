// SPDX-License-Identifier: Apache-2.0
// Integers of any size for the evaluator, with Python's rules: floor division, two's-complement bit operations, exact
// conversion and comparison with doubles. Apart, because the library behind it is heavy to compile. Values are
// immutable. Callers keep sizes within kMaxBits; nothing here throws for operands inside it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace placid::py {

class BigInt {
public:
  /// Larger results are refused (nullopt), so that no evaluation can ask for gigabytes.
  static constexpr uint64_t kMaxBits = uint64_t{1} << 16;

  BigInt(int64_t value = 0); // NOLINT(google-explicit-constructor): every int64_t is one
  /// Digits of `base` 2, 8, 10 or 16 without prefix; nothing for anything else.
  static std::optional<BigInt> parse(std::string_view digits, unsigned base);
  /// The integral part; `value` is finite.
  static BigInt ofDouble(double value);

  bool fits64() const;
  int64_t to64() const; ///< Only where fits64().
  bool isZero() const;
  bool negative() const;
  uint64_t bits() const; ///< Of the magnitude.
  std::string text(unsigned base = 10) const;
  /// Rounded to nearest, ties to even; nothing beyond the range of double.
  std::optional<double> toDouble() const;

  friend BigInt operator+(const BigInt &a, const BigInt &b);
  friend BigInt operator-(const BigInt &a, const BigInt &b);
  friend BigInt operator*(const BigInt &a, const BigInt &b);
  friend BigInt operator&(const BigInt &a, const BigInt &b);
  friend BigInt operator|(const BigInt &a, const BigInt &b);
  friend BigInt operator^(const BigInt &a, const BigInt &b);
  BigInt operator-() const;
  BigInt shiftLeft(uint64_t count) const;
  BigInt shiftRight(uint64_t count) const; ///< Floors.
  BigInt power(uint64_t exponent) const;
  /// `b` is not zero.
  static BigInt floorDiv(const BigInt &a, const BigInt &b);
  static BigInt floorMod(const BigInt &a, const BigInt &b);
  /// a / b rounded once, as Python's `/`; nothing beyond the range of double.
  static std::optional<double> trueDiv(const BigInt &a, const BigInt &b);
  /// -1, 0, 1.
  static int compare(const BigInt &a, const BigInt &b);

private:
  struct Rep;
  explicit BigInt(std::shared_ptr<const Rep> rep) : rep_(std::move(rep)) {}
  std::shared_ptr<const Rep> rep_;
};

} // namespace placid::py
