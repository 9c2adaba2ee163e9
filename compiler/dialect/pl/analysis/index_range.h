// SPDX-License-Identifier: Apache-2.0
// Strided intervals of 64-bit integers, and their arithmetic: what is left of an index expression when all iterations
// of a loop are looked at together. Every result holds all values that can occur; it may hold more. nullopt: it does
// not fit 64 bits. Knows no IR. Any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace placid::pl {

/// low, low + stride, …, high. A single value has stride 0; otherwise stride > 0 and high is one of the values.
struct IndexRange {
  int64_t low = 0;
  int64_t high = 0;
  int64_t stride = 0;

  static IndexRange single(int64_t value) { return {value, value, 0}; }
  /// The values from `low` in steps of `stride` > 0 that do not exceed `high`.
  static IndexRange stepped(int64_t low, int64_t high, int64_t stride);
  bool isSingle() const { return low == high; }
  bool operator==(const IndexRange &) const = default;
};

std::optional<IndexRange> addRanges(IndexRange a, IndexRange b);
std::optional<IndexRange> subRanges(IndexRange a, IndexRange b);
std::optional<IndexRange> mulRanges(IndexRange a, IndexRange b);
/// `divisor` > 0; rounds toward negative infinity, as PL and Python do.
IndexRange floorDivRange(IndexRange a, int64_t divisor);
IndexRange floorModRange(IndexRange a, int64_t divisor);
IndexRange minRanges(IndexRange a, IndexRange b);
IndexRange maxRanges(IndexRange a, IndexRange b);
/// The smallest one that holds both.
IndexRange joinRanges(IndexRange a, IndexRange b);

} // namespace placid::pl
