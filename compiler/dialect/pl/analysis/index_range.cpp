// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/index_range.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace placid::pl {

namespace {

/// `high - low` as a distance; it always fits.
uint64_t distance(int64_t low, int64_t high) { return static_cast<uint64_t>(high) - static_cast<uint64_t>(low); }

/// A range whose values all are congruent to `low` modulo `stride`; a stride too large to write down becomes 1.
IndexRange withStride(int64_t low, int64_t high, uint64_t stride) {
  if (low == high) {
    return IndexRange::single(low);
  }
  return {low, high, stride > 0 && stride <= INT64_MAX ? static_cast<int64_t>(stride) : 1};
}

uint64_t gcdOf(uint64_t a, uint64_t b) { return std::gcd(a, b); }

} // namespace

IndexRange IndexRange::stepped(int64_t low, int64_t high, int64_t stride) {
  if (high <= low) {
    return single(low);
  }
  uint64_t whole = distance(low, high) / static_cast<uint64_t>(stride) * static_cast<uint64_t>(stride);
  return withStride(low, static_cast<int64_t>(static_cast<uint64_t>(low) + whole), static_cast<uint64_t>(stride));
}

std::optional<IndexRange> addRanges(IndexRange a, IndexRange b) {
  int64_t low = 0;
  int64_t high = 0;
  if (__builtin_add_overflow(a.low, b.low, &low) || __builtin_add_overflow(a.high, b.high, &high)) {
    return std::nullopt;
  }
  return withStride(low, high, gcdOf(static_cast<uint64_t>(a.stride), static_cast<uint64_t>(b.stride)));
}

std::optional<IndexRange> subRanges(IndexRange a, IndexRange b) {
  int64_t low = 0;
  int64_t high = 0;
  if (__builtin_sub_overflow(a.low, b.high, &low) || __builtin_sub_overflow(a.high, b.low, &high)) {
    return std::nullopt;
  }
  return withStride(low, high, gcdOf(static_cast<uint64_t>(a.stride), static_cast<uint64_t>(b.stride)));
}

std::optional<IndexRange> mulRanges(IndexRange a, IndexRange b) {
  int64_t corners[4];
  if (__builtin_mul_overflow(a.low, b.low, &corners[0]) || __builtin_mul_overflow(a.low, b.high, &corners[1]) ||
      __builtin_mul_overflow(a.high, b.low, &corners[2]) || __builtin_mul_overflow(a.high, b.high, &corners[3])) {
    return std::nullopt;
  }
  auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  if (!a.isSingle() && !b.isSingle()) {
    return withStride(*low, *high, 1);
  }
  IndexRange many = a.isSingle() ? b : a;
  int64_t factor = a.isSingle() ? a.low : b.low;
  int64_t stride = 0;
  bool fits = !__builtin_mul_overflow(many.stride, factor, &stride) && stride != INT64_MIN;
  return withStride(*low, *high, fits ? static_cast<uint64_t>(std::abs(stride)) : 1);
}

IndexRange floorDivRange(IndexRange a, int64_t divisor) {
  int64_t low = llvm::divideFloorSigned(a.low, divisor);
  int64_t high = llvm::divideFloorSigned(a.high, divisor);
  bool even = a.stride != 0 && a.stride % divisor == 0;
  return withStride(low, high, even ? static_cast<uint64_t>(a.stride / divisor) : 1);
}

IndexRange floorModRange(IndexRange a, int64_t divisor) {
  auto mod = [&](int64_t value) { return value - llvm::divideFloorSigned(value, divisor) * divisor; };
  if (llvm::divideFloorSigned(a.low, divisor) == llvm::divideFloorSigned(a.high, divisor)) {
    return withStride(mod(a.low), mod(a.high), static_cast<uint64_t>(a.stride)); // no wrap-around inside
  }
  int64_t step = std::gcd(a.stride, divisor);
  int64_t first = mod(a.low) % step;
  return IndexRange::stepped(first, divisor - 1, step);
}

IndexRange minRanges(IndexRange a, IndexRange b) {
  if (a.high <= b.low) {
    return a;
  }
  if (b.high <= a.low) {
    return b;
  }
  IndexRange joined = joinRanges(a, b);
  return withStride(std::min(a.low, b.low), std::min(a.high, b.high), static_cast<uint64_t>(joined.stride));
}

IndexRange maxRanges(IndexRange a, IndexRange b) {
  if (a.high <= b.low) {
    return b;
  }
  if (b.high <= a.low) {
    return a;
  }
  IndexRange joined = joinRanges(a, b);
  return withStride(std::max(a.low, b.low), std::max(a.high, b.high), static_cast<uint64_t>(joined.stride));
}

IndexRange joinRanges(IndexRange a, IndexRange b) {
  uint64_t apart = distance(std::min(a.low, b.low), std::max(a.low, b.low));
  uint64_t stride = gcdOf(gcdOf(static_cast<uint64_t>(a.stride), static_cast<uint64_t>(b.stride)), apart);
  return withStride(std::min(a.low, b.low), std::max(a.high, b.high), stride);
}

} // namespace placid::pl
