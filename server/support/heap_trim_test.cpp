// SPDX-License-Identifier: Apache-2.0
#include "server/support/heap_trim.h"
#include "server/support/process.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <memory>
#include <vector>

namespace placid::server {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOwnAllocator = true;
#elif defined(__has_feature)
constexpr bool kOwnAllocator = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kOwnAllocator = false;
#endif

TEST(HeapTrim, WhatWasFreedIsGivenBackOnce) {
  if (kOwnAllocator) {
    GTEST_SKIP() << "a sanitizer allocates by itself";
  }
  constexpr size_t kPiece = 60000; // below what the allocator takes from the system one by one
  std::vector<std::unique_ptr<char[]>> pieces;
  std::vector<std::unique_ptr<char[]>> pins; // so that the heap does not simply shrink
  for (int i = 0; i < 2500; ++i) {
    pieces.push_back(std::make_unique<char[]>(kPiece));
    if (i % 50 == 49) {
      pins.push_back(std::make_unique<char[]>(1000));
    }
  }
  HeapTrim trim;
  trim.look(); // what other tests have left behind
  uint64_t full = residentBytes(::getpid());
  EXPECT_FALSE(trim.look()) << "all of it is in use";
  pieces.clear();
  EXPECT_TRUE(trim.look());
  EXPECT_LT(residentBytes(::getpid()) + (uint64_t{100} << 20), full);
  EXPECT_FALSE(trim.look()) << "there is nothing more";
}

} // namespace
} // namespace placid::server
