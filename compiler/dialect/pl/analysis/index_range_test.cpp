// SPDX-License-Identifier: Apache-2.0
// The arithmetic of strided intervals against all values of small ones.
#include "compiler/dialect/pl/analysis/index_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

using namespace placid::pl;

namespace {

std::set<int64_t> valuesOf(IndexRange range) {
  std::set<int64_t> out{range.low};
  for (int64_t value = range.low; range.stride > 0 && value <= range.high; value += range.stride) {
    out.insert(value);
  }
  return out;
}

std::vector<IndexRange> smallRanges() {
  std::vector<IndexRange> out;
  for (int64_t low : {-7, -4, 0, 3, 8}) {
    out.push_back(IndexRange::single(low));
    for (int64_t stride : {1, 2, 3, 8}) {
      for (int64_t rounds : {1, 2, 5}) {
        out.push_back({low, low + stride * rounds, stride});
      }
    }
  }
  return out;
}

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0); }

/// Every value that occurs is one of the result's, and the result is well formed.
void expectHolds(const std::set<int64_t> &values, const std::optional<IndexRange> &range, const std::string &what) {
  ASSERT_TRUE(range) << what;
  EXPECT_LE(range->low, range->high) << what;
  EXPECT_EQ(range->stride == 0, range->low == range->high) << what;
  if (range->stride > 0) {
    EXPECT_EQ((range->high - range->low) % range->stride, 0) << what;
  }
  std::set<int64_t> held = valuesOf(*range);
  EXPECT_TRUE(std::includes(held.begin(), held.end(), values.begin(), values.end())) << what;
}

using Op = std::function<int64_t(int64_t, int64_t)>;
using RangeOp = std::function<std::optional<IndexRange>(IndexRange, IndexRange)>;

void expectSound(const char *what, const Op &op, const RangeOp &rangeOp) {
  for (IndexRange a : smallRanges()) {
    for (IndexRange b : smallRanges()) {
      std::set<int64_t> values;
      for (int64_t x : valuesOf(a)) {
        for (int64_t y : valuesOf(b)) {
          values.insert(op(x, y));
        }
      }
      expectHolds(values, rangeOp(a, b), what);
    }
  }
}

TEST(IndexRange, BinaryOperationsHoldEveryValue) {
  expectSound("add", [](int64_t x, int64_t y) { return x + y; }, addRanges);
  expectSound("sub", [](int64_t x, int64_t y) { return x - y; }, subRanges);
  expectSound("mul", [](int64_t x, int64_t y) { return x * y; }, mulRanges);
  expectSound("min", [](int64_t x, int64_t y) { return std::min(x, y); }, minRanges);
  expectSound("max", [](int64_t x, int64_t y) { return std::max(x, y); }, maxRanges);
}

TEST(IndexRange, JoinHoldsBoth) {
  for (IndexRange a : smallRanges()) {
    for (IndexRange b : smallRanges()) {
      std::set<int64_t> values = valuesOf(a);
      values.merge(valuesOf(b));
      expectHolds(values, joinRanges(a, b), "join");
    }
  }
}

TEST(IndexRange, DivisionAndRemainderHoldEveryValue) {
  for (IndexRange a : smallRanges()) {
    for (int64_t divisor : {1, 2, 3, 4, 16}) {
      std::set<int64_t> quotients;
      std::set<int64_t> remainders;
      for (int64_t x : valuesOf(a)) {
        quotients.insert(floorDiv(x, divisor));
        remainders.insert(x - floorDiv(x, divisor) * divisor);
      }
      expectHolds(quotients, floorDivRange(a, divisor), "floordiv");
      expectHolds(remainders, floorModRange(a, divisor), "floormod");
    }
  }
}

TEST(IndexRange, KeepsStridesWhereTheyCount) {
  IndexRange tiles = IndexRange::stepped(0, 511, 64); // range(0, 512, 64)
  EXPECT_EQ(tiles, (IndexRange{0, 448, 64}));
  EXPECT_EQ(addRanges(tiles, IndexRange::single(16)), (IndexRange{16, 464, 64}));
  EXPECT_EQ(mulRanges(tiles, IndexRange::single(-2)), (IndexRange{-896, 0, 128}));
  EXPECT_EQ(floorDivRange(tiles, 32), (IndexRange{0, 14, 2}));
  EXPECT_EQ(floorModRange(tiles, 64), IndexRange::single(0));
  EXPECT_EQ(floorModRange(tiles, 128), (IndexRange{0, 64, 64}));
}

TEST(IndexRange, WhatDoesNotFitIsUnknown) {
  IndexRange large{0, INT64_MAX, INT64_MAX};
  EXPECT_FALSE(addRanges(large, IndexRange::single(1)));
  EXPECT_FALSE(mulRanges(large, IndexRange::single(2)));
  EXPECT_FALSE(subRanges(IndexRange::single(INT64_MIN), IndexRange::single(1)));
  EXPECT_EQ(joinRanges(IndexRange::single(INT64_MIN), IndexRange::single(INT64_MAX)).stride, 1);
  EXPECT_EQ(IndexRange::stepped(INT64_MIN, INT64_MAX, 2).high, INT64_MAX - 1);
}

} // namespace
