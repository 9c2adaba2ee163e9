// SPDX-License-Identifier: Apache-2.0
// Places buffers with lifetimes in one memory: two that are alive at the same time never overlap. Numbers only, so that
// its promises are tested as properties; it knows neither tiles nor MLIR. Pure: any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace placid::pl {

/// A buffer that is alive in the closed interval [begin, end] of program points.
struct Lifetime {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t bytes = 0;
  /// Buffers of the same size that end where this one begins, and whose bytes the operation there may write over: this
  /// buffer may have the address of one of them, or none of its bytes.
  std::vector<size_t> over = {};

  bool overlaps(const Lifetime &other) const { return begin <= other.end && other.begin <= end; }
};

struct Placement {
  std::vector<int64_t> addresses; ///< Byte address of each buffer, in the order given.
  int64_t used = 0;               ///< First byte above all buffers. More than the capacity when they do not fit.
};

/// Every address is a multiple of `alignment`. Deterministic. When one order does not fit into `capacity` another is
/// tried; the placement that uses less is returned.
Placement placeBuffers(std::span<const Lifetime> buffers, int64_t capacity, int64_t alignment);

/// The most bytes alive at once, each buffer rounded up to `alignment`, and the first buffer that brings it about. What
/// may hand its bytes on does not count where it does.
struct Peak {
  int64_t bytes = 0;
  size_t buffer = 0;
};
Peak findPeak(std::span<const Lifetime> buffers, int64_t alignment);

} // namespace placid::pl
