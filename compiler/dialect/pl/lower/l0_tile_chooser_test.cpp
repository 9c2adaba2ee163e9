// SPDX-License-Identifier: Apache-2.0
// The chooser against pinned tiles of the A2/A3 cost model, and its legality rules as properties over a sweep.
#include "compiler/dialect/pl/lower/l0_tile_chooser.h"

#include <gtest/gtest.h>

#include <ostream>

namespace placid::pl {
namespace {

const target::Target &a3() { return target::get(target::Arch::A3); }

L0Request request(int64_t m, int64_t n, int64_t k, int64_t bytes) {
  return {.m = m, .n = n, .k = k, .lhsBytes = bytes, .rhsBytes = bytes};
}

L0Request baselineOnly(L0Request r, bool divisors) {
  r.allowLeftStationary = false;
  r.allowRightStationary = false;
  r.allowTailK = !divisors;
  return r;
}

void expectTile(const L0Request &r, int64_t m, int64_t n, int64_t k, Stationary stationary, bool doubleAcc) {
  std::optional<L0Tile> tile = chooseL0Tile(a3(), r);
  ASSERT_TRUE(tile) << r.m << "x" << r.n << "x" << r.k;
  EXPECT_EQ(std::tie(tile->m, tile->n, tile->k), std::tie(m, n, k)) << r.m << "x" << r.n << "x" << r.k;
  EXPECT_EQ(tile->stationary, stationary);
  EXPECT_EQ(tile->doubleAcc, doubleAcc);
}

TEST(L0TileChooser, OutputStationaryReferencePoints) {
  expectTile(baselineOnly(request(16, 256, 512, 2), true), 16, 256, 64, Stationary::Output, false);
  expectTile(baselineOnly(request(128, 128, 192, 2), true), 128, 128, 96, Stationary::Output, false);
  expectTile(baselineOnly(request(256, 256, 64, 2), false), 128, 256, 64, Stationary::Output, false);
  expectTile(baselineOnly(request(272, 272, 64, 2), false), 144, 128, 64, Stationary::Output, false);
  expectTile(baselineOnly(request(320, 320, 64, 2), false), 160, 128, 64, Stationary::Output, false);
  expectTile(baselineOnly(request(256, 256, 256, 4), false), 128, 256, 32, Stationary::Output, false);
}

TEST(L0TileChooser, StationaryReferencePoints) {
  expectTile(request(64, 256, 256, 4), 64, 256, 32, Stationary::Output, false);
  expectTile(request(256, 544, 128, 2), 256, 128, 128, Stationary::Left, false);
  expectTile(request(192, 512, 64, 2), 64, 512, 64, Stationary::Right, false);
  L0Request twice = request(64, 256, 256, 4);
  twice.allowDoubleAcc = true;
  expectTile(twice, 64, 32, 256, Stationary::Left, true);
  twice = request(64, 256, 80, 2);
  twice.allowDoubleAcc = true;
  expectTile(twice, 32, 256, 80, Stationary::Right, true);
}

TEST(L0TileChooser, WideOutputsKeepTheirRows) {
  expectTile(request(64, 1024, 512, 2), 64, 512, 32, Stationary::Output, false);
  expectTile(request(64, 1024, 512, 4), 64, 512, 16, Stationary::Output, false);
}

TEST(L0TileChooser, Int32RowsAreRoundedBeforeTheAccumulatorIsMeasured) {
  L0Request r = request(16, 1152, 128, 1);
  r.accRowMultiple = 32;
  std::optional<L0Tile> tile = chooseL0Tile(a3(), r);
  ASSERT_TRUE(tile);
  EXPECT_LT(tile->n, 1152);
  EXPECT_LE(32 * tile->n * 4, 131072);
}

TEST(L0TileChooser, FullRowsOrNothing) {
  L0Request r = request(256, 144, 64, 2);
  r.fixedM = true;
  std::optional<L0Tile> tile = chooseL0Tile(a3(), r);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->m, 256);
  EXPECT_LT(tile->n, 144);

  // 2048 rows fill half of L0A already at k = 8: no double-buffered tile, and no single-buffered rescue.
  r = request(2048, 16, 64, 2);
  r.fixedM = true;
  EXPECT_FALSE(chooseL0Tile(a3(), r));
  // 1024 rows fit at k = 16.
  r = request(1024, 48, 64, 2);
  r.fixedM = true;
  tile = chooseL0Tile(a3(), r);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->m, 1024);
  // More rows than the accumulator holds at 16 columns.
  r = request(2064, 16, 16, 2);
  r.fixedM = true;
  EXPECT_FALSE(chooseL0Tile(a3(), r));
}

TEST(L0TileChooser, ExtentsWithoutATileAreRefused) {
  EXPECT_FALSE(chooseL0Tile(a3(), request(0, 16, 16, 2)));
  EXPECT_FALSE(chooseL0Tile(a3(), request(16, 16, 1 << 21, 2)));
  EXPECT_FALSE(chooseL0Tile(a3(), request(16, 16, 24, 2))); // k = 16 leaves 8, which is no fractal
  EXPECT_FALSE(chooseL0Tile(a3(), request(8, 16, 16, 2)));
}

TEST(L0TileChooser, EveryChoiceIsLegal) {
  for (int64_t bytes : {1, 2, 4}) {
    for (int64_t m : {16, 48, 176, 512}) {
      for (int64_t n : {16, 80, 208, 1024}) {
        for (int64_t k : {32, 96, 224, 736}) {
          for (int variant = 0; variant < 4; ++variant) {
            L0Request r = request(m, n, k, bytes);
            r.multipleK = bytes == 1 ? 32 : 16;
            r.fixedM = (variant & 1) != 0;
            r.allowDoubleAcc = (variant & 2) != 0;
            std::optional<L0Tile> tile = chooseL0Tile(a3(), r);
            if (!tile) {
              EXPECT_TRUE(r.fixedM) << m << " " << n << " " << k;
              continue;
            }
            EXPECT_EQ(tile->m % 16 + tile->n % 16 + tile->k % r.multipleK, 0);
            EXPECT_LE(tile->m, m);
            EXPECT_LE(tile->n, n);
            EXPECT_LE(tile->k, k);
            EXPECT_TRUE(!r.fixedM || tile->m == m);
            int64_t left = tile->stationary == Stationary::Left ? 65536 : 32768;
            int64_t right = tile->stationary == Stationary::Right ? 65536 : 32768;
            EXPECT_LE(tile->m * tile->k * bytes, left);
            EXPECT_LE(tile->n * tile->k * bytes, right);
            EXPECT_LE(tile->m * tile->n * 4, tile->doubleAcc ? 65536 : 131072);
            EXPECT_TRUE(tile->stationary == Stationary::Output || tile->k == k);
          }
        }
      }
    }
  }
}

} // namespace
} // namespace placid::pl
