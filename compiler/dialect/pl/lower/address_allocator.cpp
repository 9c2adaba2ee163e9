// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/address_allocator.h"

#include "compiler/target/target.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace placid::pl {

namespace {

using target::roundUp;
using target::saturatingAdd;

Placement placeInOrder(std::span<const Lifetime> buffers, std::span<const size_t> order, int64_t alignment) {
  Placement placement;
  placement.addresses.assign(buffers.size(), 0);
  const bool byBegin = std::is_sorted(order.begin(), order.end(),
                                      [&](size_t a, size_t b) { return buffers[a].begin < buffers[b].begin; });
  std::vector<size_t> placed;
  for (size_t next : order) {
    if (byBegin) { // what has ended stays ended: only what is alive is looked at again
      std::erase_if(placed, [&](size_t other) { return buffers[other].end < buffers[next].begin; });
    }
    // The byte ranges taken by buffers alive at the same time, in address order; the first gap that is wide enough
    // wins.
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (size_t other : placed) {
      if (buffers[other].overlaps(buffers[next])) {
        taken.emplace_back(placement.addresses[other], saturatingAdd(placement.addresses[other], buffers[other].bytes));
      }
    }
    std::sort(taken.begin(), taken.end());
    int64_t address = 0;
    for (const auto &[begin, end] : taken) {
      if (saturatingAdd(address, buffers[next].bytes) <= begin) {
        break;
      }
      address = std::max(address, roundUp(end, alignment));
    }
    placement.addresses[next] = address;
    placement.used = std::max(placement.used, saturatingAdd(address, buffers[next].bytes));
    placed.push_back(next);
  }
  return placement;
}

} // namespace

Placement placeBuffers(std::span<const Lifetime> buffers, int64_t capacity, int64_t alignment) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_tuple(buffers[a].begin, -buffers[a].bytes, a) <
           std::make_tuple(buffers[b].begin, -buffers[b].bytes, b);
  });
  Placement placement = placeInOrder(buffers, order, alignment);
  if (placement.used > capacity) {
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::make_tuple(-buffers[a].bytes, buffers[a].begin, a) <
             std::make_tuple(-buffers[b].bytes, buffers[b].begin, b);
    });
    Placement other = placeInOrder(buffers, order, alignment);
    if (other.used < placement.used) {
      placement = std::move(other);
    }
  }
  return placement;
}

Peak findPeak(std::span<const Lifetime> buffers, int64_t alignment) {
  Peak peak;
  for (size_t i = 0; i < buffers.size(); ++i) {
    int64_t bytes = 0;
    for (const Lifetime &other : buffers) {
      if (other.begin <= buffers[i].begin && buffers[i].begin <= other.end) {
        bytes = saturatingAdd(bytes, roundUp(other.bytes, alignment));
      }
    }
    if (bytes > peak.bytes) {
      peak = {bytes, i};
    }
  }
  return peak;
}

} // namespace placid::pl
