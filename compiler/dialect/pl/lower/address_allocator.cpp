// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/address_allocator.h"

#include "compiler/target/target.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace placid::pl {

namespace {

using target::roundUp;
using target::saturatingAdd;

/// One of the two may have the other's address.
bool handsOn(std::span<const Lifetime> buffers, size_t a, size_t b) {
  auto over = [&](size_t later, size_t earlier) {
    const std::vector<size_t> &list = buffers[later].over;
    return std::find(list.begin(), list.end(), earlier) != list.end();
  };
  return over(a, b) || over(b, a);
}

/// The lowest address of those handed on that no other of the `taken` ranges meets.
std::optional<int64_t> inheritedAddress(std::span<const Lifetime> buffers, const Placement &placement,
                                        const std::vector<size_t> &handedOn,
                                        const std::vector<std::pair<int64_t, int64_t>> &taken) {
  std::optional<int64_t> out;
  for (size_t other : handedOn) {
    const std::pair<int64_t, int64_t> range{placement.addresses[other],
                                            saturatingAdd(placement.addresses[other], buffers[other].bytes)};
    // The range itself is there once, for the buffer that hands it on.
    const auto meets = std::count_if(taken.begin(), taken.end(), [&](const std::pair<int64_t, int64_t> &given) {
      return given.first < range.second && range.first < given.second;
    });
    if (meets == 1 && (!out || range.first < *out)) {
      out = range.first;
    }
  }
  return out;
}

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
    // wins, but for the place of an operand that ends here: it costs nothing.
    std::vector<std::pair<int64_t, int64_t>> taken;
    std::vector<size_t> handedOn;
    for (size_t other : placed) {
      if (buffers[other].overlaps(buffers[next])) {
        taken.emplace_back(placement.addresses[other], saturatingAdd(placement.addresses[other], buffers[other].bytes));
        if (handsOn(buffers, other, next)) {
          handedOn.push_back(other);
        }
      }
    }
    std::sort(taken.begin(), taken.end());
    std::optional<int64_t> inherited = inheritedAddress(buffers, placement, handedOn, taken);
    if (inherited) {
      placement.addresses[next] = *inherited;
      placed.push_back(next);
      continue;
    }
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
    std::vector<bool> handsOn(buffers.size());
    for (const Lifetime &later : buffers) {
      for (size_t earlier : later.begin == buffers[i].begin ? later.over : std::vector<size_t>()) {
        handsOn[earlier] = true;
      }
    }
    int64_t bytes = 0;
    for (size_t k = 0; k < buffers.size(); ++k) {
      const Lifetime &other = buffers[k];
      if (!handsOn[k] && other.begin <= buffers[i].begin && buffers[i].begin <= other.end) {
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
