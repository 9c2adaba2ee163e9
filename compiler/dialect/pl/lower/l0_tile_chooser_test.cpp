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

/// Tiles, regimes and cycles computed apart from this code from the cost model's formulas, over both cost tables.
struct Worked {
  const char *arch;
  int64_t rows, columns, depth, bytes;
  bool fixedM, doubleAcc, tailK;
  int64_t m, n, k; ///< 0: no legal tile.
  Stationary stationary;
  bool twoAccs;
  int64_t cycles;
};

// clang-format off
constexpr Worked kWorked[] = {
    {"a3", 48, 544, 16, 4, true, false, true, 48, 256, 16, Stationary::Output, false, 2381},
    {"a3", 320, 128, 16, 2, true, false, true, 320, 64, 16, Stationary::Output, false, 3378},
    {"a3", 16, 48, 80, 1, false, false, true, 16, 48, 80, Stationary::Output, false, 373},
    {"a3", 16, 128, 16, 1, false, true, true, 16, 128, 16, Stationary::Output, false, 264},
    {"a3", 96, 1600, 64, 2, true, false, true, 96, 256, 64, Stationary::Output, false, 9815},
    {"a3", 320, 48, 16, 2, false, false, true, 320, 32, 16, Stationary::Output, false, 3298},
    {"a3", 256, 1024, 208, 4, true, false, true, 256, 128, 32, Stationary::Output, false, 64850},
    {"a3", 32, 256, 736, 2, false, false, true, 32, 256, 32, Stationary::Output, false, 5217},
    {"a3", 32, 1600, 256, 2, true, false, false, 32, 1024, 16, Stationary::Output, false, 12395},
    {"a3", 16, 48, 736, 1, false, false, true, 16, 48, 368, Stationary::Output, false, 823},
    {"a3", 256, 1024, 32, 4, false, false, true, 128, 256, 32, Stationary::Output, false, 18558},
    {"a3", 16, 256, 512, 2, true, false, true, 16, 256, 64, Stationary::Output, false, 3499},
    {"a3", 256, 320, 64, 2, false, false, true, 256, 128, 64, Stationary::Output, false, 5509},
    {"a3", 48, 128, 256, 4, true, false, true, 48, 128, 64, Stationary::Output, false, 2291},
    {"a3", 192, 1600, 128, 1, false, false, false, 192, 128, 128, Stationary::Output, false, 18504},
    {"a3", 192, 320, 256, 4, false, true, true, 32, 64, 256, Stationary::Right, true, 16296},
    {"a3", 64, 16, 512, 2, false, true, true, 32, 16, 512, Stationary::Output, true, 1004},
    {"a3", 192, 1600, 208, 2, false, false, true, 192, 128, 80, Stationary::Output, false, 30282},
    {"a3", 256, 1600, 256, 2, true, false, true, 256, 128, 64, Stationary::Output, false, 44658},
    {"a3", 16, 128, 32, 1, false, false, true, 16, 128, 32, Stationary::Output, false, 287},
    {"a3", 32, 16, 64, 2, false, false, true, 32, 16, 64, Stationary::Output, false, 362},
    {"a3", 64, 544, 64, 2, false, false, true, 64, 256, 64, Stationary::Output, false, 3037},
    {"a3", 32, 48, 512, 1, false, false, true, 32, 48, 512, Stationary::Output, false, 887},
    {"a3", 48, 48, 208, 2, false, false, true, 48, 48, 208, Stationary::Output, false, 1015},
    {"a5", 64, 1600, 208, 2, true, false, true, 64, 800, 16, Stationary::Output, false, 21171},
    {"a5", 32, 256, 736, 4, true, true, true, 32, 256, 32, Stationary::Output, false, 25724},
    {"a5", 64, 128, 80, 4, false, false, true, 64, 128, 80, Stationary::Right, false, 4028},
    {"a5", 128, 16, 16, 1, false, false, true, 128, 16, 16, Stationary::Output, false, 971},
    {"a5", 256, 320, 208, 4, true, true, true, 256, 160, 32, Stationary::Output, false, 79150},
    {"a5", 64, 1024, 16, 4, false, false, true, 64, 1024, 16, Stationary::Right, false, 13210},
    {"a5", 32, 544, 80, 2, false, true, true, 32, 544, 16, Stationary::Output, false, 3298},
    {"a5", 32, 544, 512, 4, false, false, true, 32, 272, 16, Stationary::Output, false, 40138},
    {"a5", 48, 16, 64, 2, false, false, true, 48, 16, 64, Stationary::Output, false, 608},
    {"a5", 128, 80, 736, 1, false, true, true, 128, 80, 256, Stationary::Output, false, 2858},
    {"a5", 320, 80, 256, 2, false, true, false, 64, 80, 256, Stationary::Right, true, 5815},
    {"a5", 96, 128, 128, 2, false, false, true, 96, 128, 128, Stationary::Output, false, 2398},
    {"a5", 48, 16, 208, 1, false, false, false, 48, 16, 208, Stationary::Output, false, 627},
    {"a5", 320, 80, 736, 1, true, false, false, 320, 80, 32, Stationary::Output, false, 7126},
    {"a5", 16, 80, 64, 2, true, false, true, 16, 80, 64, Stationary::Output, false, 586},
    {"a5", 128, 1600, 736, 2, false, false, true, 128, 320, 48, Stationary::Output, false, 69049},
    {"a5", 64, 128, 128, 2, true, true, true, 64, 128, 128, Stationary::Output, false, 1724},
    {"a5", 32, 1024, 208, 2, false, false, true, 32, 1024, 16, Stationary::Output, false, 6792},
    {"a5", 256, 1600, 736, 4, false, false, true, 256, 160, 32, Stationary::Output, false, 1245670},
    {"a5", 320, 128, 512, 4, true, true, true, 320, 128, 16, Stationary::Output, false, 88749},
    {"a5", 64, 544, 32, 2, true, false, true, 64, 544, 32, Stationary::Right, false, 5556},
    {"a5", 128, 80, 128, 2, false, false, true, 128, 80, 128, Stationary::Output, false, 2194},
    {"a5", 192, 1024, 64, 2, false, false, true, 64, 1024, 16, Stationary::Output, false, 30701},
    {"a5", 320, 544, 208, 1, false, false, true, 320, 192, 96, Stationary::Output, false, 31433},
};
// clang-format on

TEST(L0TileChooser, WorkedChoices) {
  for (const Worked &w : kWorked) {
    L0Request r = request(w.rows, w.columns, w.depth, w.bytes);
    r.fixedM = w.fixedM;
    r.allowDoubleAcc = w.doubleAcc;
    r.allowTailK = w.tailK;
    std::optional<L0Tile> tile = chooseL0Tile(*target::find(w.arch), r);
    ASSERT_EQ(tile.has_value(), w.m != 0) << w.arch << " " << w.rows << "x" << w.columns << "x" << w.depth;
    if (tile) {
      EXPECT_EQ(std::tie(tile->m, tile->n, tile->k, tile->stationary, tile->doubleAcc, tile->cycles),
                std::tie(w.m, w.n, w.k, w.stationary, w.twoAccs, w.cycles))
          << w.arch << " " << w.rows << "x" << w.columns << "x" << w.depth << ": " << tile->m << " " << tile->n << " "
          << tile->k;
    }
  }
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
  EXPECT_EQ(tile->n, 768);
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
