// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/dtype.h"

#include <gtest/gtest.h>

#include <cmath>

namespace placid::interp {
namespace {

double through(DType type, double value) { return roundTo(type, Number::ofFloat(value)).f; }

TEST(InterpreterDType, HalfRoundsToNearestEven) {
  EXPECT_EQ(through(DType::F16, 2049), 2048); // halfway, down to even
  EXPECT_EQ(through(DType::F16, 2051), 2052); // halfway, up to even
  EXPECT_EQ(through(DType::F16, 65504), 65504);
  EXPECT_TRUE(std::isinf(through(DType::F16, 65520)));
  EXPECT_EQ(through(DType::F16, std::ldexp(1.0, -24)), std::ldexp(1.0, -24)); // the smallest
  EXPECT_EQ(through(DType::F16, std::ldexp(1.0, -26)), 0);
  EXPECT_TRUE(std::isnan(through(DType::F16, NAN)));
}

TEST(InterpreterDType, EveryHalfComesBack) {
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    uint8_t in[2] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
    uint8_t out[2];
    encode(DType::F16, decode(DType::F16, in), out);
    ASSERT_EQ(in[0] | in[1] << 8, out[0] | out[1] << 8);
  }
}

TEST(InterpreterDType, BfloatRoundsOnce) {
  EXPECT_EQ(through(DType::BF16, 257), 256);
  EXPECT_EQ(through(DType::BF16, 259), 260);
  // Through float this would become a tie and go down.
  EXPECT_EQ(through(DType::BF16, 257 + std::ldexp(1.0, -30)), 258);
}

TEST(InterpreterDType, BytesOfFloats) {
  auto of = [](DType type, uint8_t code) { return decode(type, &code).f; };
  EXPECT_EQ(of(DType::F8E4M3, 0x38), 1);
  EXPECT_EQ(of(DType::F8E4M3, 0x7E), 448);
  EXPECT_EQ(of(DType::F8E4M3, 0x81), -std::ldexp(1.0, -9));
  EXPECT_TRUE(std::isnan(of(DType::F8E4M3, 0x7F)));
  EXPECT_EQ(of(DType::F8E5M2, 0x3C), 1);
  EXPECT_EQ(of(DType::F8E5M2, 0x7B), 57344);
  EXPECT_EQ(of(DType::F8E5M2, 0xFC), -INFINITY);
  EXPECT_EQ(of(DType::F8E8M0, 127), 1);
  EXPECT_EQ(of(DType::F8E8M0, 0), std::ldexp(1.0, -127));
  EXPECT_TRUE(std::isnan(of(DType::F8E8M0, 255)));
  EXPECT_EQ(of(DType::HiF8, 0x08), 1);
  EXPECT_EQ(of(DType::HiF8, 0x0F), 1.875);
  EXPECT_EQ(of(DType::HiF8, 0x10), 2); // one bit of exponent: above and below one
  EXPECT_EQ(of(DType::HiF8, 0x1C), 0.75);
  EXPECT_EQ(of(DType::HiF8, 0x6E), 32768);
  EXPECT_EQ(of(DType::HiF8, 0xEF), -INFINITY);
  EXPECT_EQ(of(DType::HiF8, 0x01), std::ldexp(1.0, -22));
  EXPECT_TRUE(std::isnan(of(DType::HiF8, 0x80)));
}

TEST(InterpreterDType, EveryByteOfAFloatComesBack) {
  for (DType type : {DType::F8E4M3, DType::F8E5M2, DType::F8E8M0, DType::HiF8}) {
    for (int code = 0; code < 256; ++code) {
      auto in = static_cast<uint8_t>(code);
      uint8_t out = 0;
      Number number = decode(type, &in);
      encode(type, number, &out);
      EXPECT_TRUE(in == out || std::isnan(number.f)) << info(type).name << ' ' << code;
    }
  }
  EXPECT_EQ(through(DType::F8E4M3, 1.0625), 1); // a tie goes to the even code
  EXPECT_EQ(through(DType::F8E4M3, 1000), 448);
  EXPECT_EQ(through(DType::F8E5M2, -1e9), -57344);
}

TEST(InterpreterDType, IntegersWrapAndFloatsSaturate) {
  EXPECT_EQ(wrapTo(DType::I8, 128), -128);
  EXPECT_EQ(wrapTo(DType::U8, 256 + 7), 7);
  EXPECT_EQ(wrapTo(DType::I32, int64_t{1} << 32), 0);
  EXPECT_EQ(convert(Number::ofFloat(300.4), DType::I8, Rounding::Rint).i, 127);
  EXPECT_EQ(convert(Number::ofFloat(-1e30), DType::I32, Rounding::Rint).i, INT32_MIN);
  EXPECT_EQ(convert(Number::ofFloat(-3), DType::U8, Rounding::Rint).i, 0);
}

TEST(InterpreterDType, RoundingModesOfConversions) {
  EXPECT_EQ(convert(Number::ofFloat(2.5), DType::I32, Rounding::Rint).i, 2);
  EXPECT_EQ(convert(Number::ofFloat(2.5), DType::I32, Rounding::Round).i, 3);
  EXPECT_EQ(convert(Number::ofFloat(-2.5), DType::I32, Rounding::Floor).i, -3);
  EXPECT_EQ(convert(Number::ofFloat(-2.5), DType::I32, Rounding::Trunc).i, -2);
  EXPECT_EQ(convert(Number::ofFloat(257), DType::BF16, Rounding::Rint).f, 256);
  EXPECT_EQ(convert(Number::ofFloat(257), DType::BF16, Rounding::Round).f, 258); // away from zero at a tie
}

} // namespace
} // namespace placid::interp
