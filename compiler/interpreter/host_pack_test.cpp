// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/host_pack.h"

#include <gtest/gtest.h>

#include <numeric>

namespace placid::interp {
namespace {

TEST(HostPack, FractalOrderByHand) {
  // Two panels of 32 x 64 bytes: the byte of panel p, row r, column c lies at p*2048 + (c/32)*1024 + r*32 + c%32.
  std::vector<uint8_t> logical(2 * 32 * 64);
  for (size_t i = 0; i < logical.size(); ++i) {
    logical[i] = static_cast<uint8_t>(i * 7 + i / 256);
  }
  std::vector<uint8_t> packed = packNz(logical, {2, 32, 64}, 1);
  for (int p = 0; p < 2; ++p) {
    for (int r = 0; r < 32; ++r) {
      for (int c = 0; c < 64; ++c) {
        ASSERT_EQ(packed[p * 2048 + c / 32 * 1024 + r * 32 + c % 32], logical[p * 2048 + r * 64 + c]);
      }
    }
  }
  EXPECT_EQ(unpackNz(packed, {2, 32, 64}, 1), logical);
}

TEST(HostPack, WholeFractalsOnly) {
  EXPECT_EQ(nzFault({16, 16}, 2), "");
  EXPECT_NE(nzFault({24, 16}, 2), "");
  EXPECT_NE(nzFault({16, 8}, 2), "");
  EXPECT_NE(nzFault({16}, 2), "");
  EXPECT_EQ(nzFault({16, 8}, 4), "");
}

TEST(HostPack, ColumnOrder) {
  std::vector<uint8_t> logical(2 * 3);
  std::iota(logical.begin(), logical.end(), uint8_t{0});
  EXPECT_EQ(packDn(logical, {2, 3}, 1), (std::vector<uint8_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(unpackDn(packDn(logical, {2, 3}, 1), {2, 3}, 1), logical);
}

} // namespace
} // namespace placid::interp
