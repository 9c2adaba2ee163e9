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

TEST(AddressAllocator, AResultTakesOverThePlaceOfAnOperand) {
  Lifetime buffers[] = {{0, 3, 64}, {1, 3, 64}, {3, 6, 64, {0, 1}}, {6, 7, 64, {2}}, {6, 9, 64}};
  EXPECT_EQ(placeBuffers(buffers, 4096, 32).addresses, (std::vector<int64_t>{0, 64, 0, 0, 64}));
  EXPECT_EQ(findPeak(buffers, 32).bytes, 128);
  // The place of the second operand when the first one's is taken by what lives on.
  Lifetime living[] = {{0, 3, 64}, {1, 3, 64}, {3, 6, 64, {1}}, {0, 6, 64}};
  Placement placement = placeBuffers(living, 4096, 32);
  EXPECT_EQ(placement.addresses[2], placement.addresses[1]);
  EXPECT_EQ(placement.used, 192);
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
  int handedOn = 0;
  for (int round = 0; round < 400; ++round) {
    const int64_t alignment = round % 2 ? 512 : 32;
    const int64_t capacity = pick(1, 64) * 1024;
    std::vector<Lifetime> buffers;
    for (int64_t i = pick(1, 24); i > 0; --i) {
      int64_t begin = pick(0, 40);
      buffers.push_back({begin, begin + pick(0, 12), pick(1, 8192)});
    }
    for (size_t i = 0; i < buffers.size(); ++i) {
      for (size_t j = 0; j < buffers.size(); ++j) {
        if (i != j && buffers[j].end == buffers[i].begin && buffers[j].begin < buffers[i].begin && pick(0, 1) == 1) {
          buffers[j].bytes = buffers[i].bytes;
          buffers[i].over.push_back(j);
        }
      }
    }
    for (Lifetime &buffer : buffers) { // a size that was changed again hands nothing on
      std::erase_if(buffer.over, [&](size_t other) { return buffers[other].bytes != buffer.bytes; });
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
        auto over = [&](size_t later, size_t earlier) { return std::ranges::count(buffers[later].over, earlier) != 0; };
        bool handed = (over(i, j) || over(j, i)) && placement.addresses[i] == placement.addresses[j];
        handedOn += handed && buffers[i].overlaps(buffers[j]) ? 1 : 0;
        ASSERT_TRUE(apart || handed || !buffers[i].overlaps(buffers[j])) << "buffers " << i << " and " << j;
      }
    }
    ASSERT_EQ(placement.used, top);
    // Fitting is judged by `used`, so it must never be below what is alive at once.
    int64_t alive = findPeak(buffers, 1).bytes;
    ASSERT_GE(placement.used, alive);
    ASSERT_EQ(placeBuffers(buffers, capacity, alignment).addresses, placement.addresses);
  }
  EXPECT_GT(handedOn, 100);
}

} // namespace
} // namespace placid::pl
