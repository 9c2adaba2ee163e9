// SPDX-License-Identifier: Apache-2.0
// The allocator's promises on random lifetimes, and a few placements that must come out exactly.
#include "compiler/dialect/pl/lower/address_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace placid::pl {
namespace {

TEST(AddressAllocator, DeadBuffersGiveTheirBytesBack) {
  Lifetime buffers[] = {{0, 3, 1024}, {4, 6, 1024}, {2, 5, 512}};
  Placement placement = placeBuffers(buffers, 4096, 512);
  EXPECT_EQ(placement.addresses, (std::vector<int64_t>{0, 0, 1024}));
  EXPECT_EQ(placement.used, 1536);
}

TEST(AddressAllocator, TouchingLifetimesDoNotShare) {
  Lifetime buffers[] = {{0, 3, 64}, {3, 6, 64}};
  EXPECT_EQ(placeBuffers(buffers, 4096, 32).addresses, (std::vector<int64_t>{0, 64}));
}

TEST(AddressAllocator, AnotherOrderIsTriedBeforeGivingUp) {
  // In program order the small buffer splits the memory; largest first fits exactly.
  Lifetime buffers[] = {{0, 1, 512}, {0, 4, 512}, {2, 4, 1024}};
  Placement placement = placeBuffers(buffers, 1536, 512);
  EXPECT_LE(placement.used, 1536);
}

TEST(AddressAllocator, PeakIsTheMostAliveAtOnce) {
  Lifetime buffers[] = {{0, 9, 100}, {1, 2, 600}, {3, 5, 300}, {4, 8, 400}};
  Peak peak = findPeak(buffers, 512);
  EXPECT_EQ(peak.bytes, 512 + 1024);
  EXPECT_EQ(peak.buffer, 1u);
}

TEST(AddressAllocator, EmptyInput) {
  EXPECT_EQ(placeBuffers({}, 64, 32).used, 0);
  EXPECT_EQ(findPeak({}, 32).bytes, 0);
}

TEST(AddressAllocator, PropertiesOnRandomLifetimes) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  for (int round = 0; round < 400; ++round) {
    const int64_t alignment = round % 2 ? 512 : 32;
    const int64_t capacity = pick(1, 64) * 1024;
    std::vector<Lifetime> buffers;
    for (int64_t i = pick(1, 24); i > 0; --i) {
      int64_t begin = pick(0, 40);
      buffers.push_back({begin, begin + pick(0, 12), pick(1, 8192)});
    }
    Placement placement = placeBuffers(buffers, capacity, alignment);
    ASSERT_EQ(placement.addresses.size(), buffers.size());
    int64_t top = 0;
    for (size_t i = 0; i < buffers.size(); ++i) {
      ASSERT_GE(placement.addresses[i], 0);
      ASSERT_EQ(placement.addresses[i] % alignment, 0);
      top = std::max(top, placement.addresses[i] + buffers[i].bytes);
      for (size_t j = 0; j < i; ++j) {
        bool apart = placement.addresses[i] + buffers[i].bytes <= placement.addresses[j] ||
                     placement.addresses[j] + buffers[j].bytes <= placement.addresses[i];
        ASSERT_TRUE(apart || !buffers[i].overlaps(buffers[j])) << "buffers " << i << " and " << j;
      }
    }
    ASSERT_EQ(placement.used, top);
    // Fitting is judged by `used`, so it must never be below what is alive at once.
    int64_t alive = findPeak(buffers, 1).bytes;
    ASSERT_GE(placement.used, alive);
    ASSERT_EQ(placeBuffers(buffers, capacity, alignment).addresses, placement.addresses);
  }
}

} // namespace
} // namespace placid::pl
