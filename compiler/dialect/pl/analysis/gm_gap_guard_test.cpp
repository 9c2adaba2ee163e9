// SPDX-License-Identifier: Apache-2.0
// The temporary GM row gap guard; goes when it goes (see gm_gap_guard.h).
#include "compiler/dialect/pl/analysis/gm_gap_guard.h"
#include "compiler/dialect/pl/analysis/nz_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace placid::pl;
using namespace placid::pl::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

TEST(GmGap, IsTheRowsLeftBehind) {
  EXPECT_EQ(gmGapBlocks(65536, 16, 2), 65520);
  EXPECT_EQ(gmGapBlocks(65536, std::nullopt, 2), 65536);
  EXPECT_EQ(gmGapBlocks(192, 48, 4), 144);
  EXPECT_EQ(gmGapBlocks(65552, 16, 1), std::nullopt);
}

struct GapCase {
  const char *type;
  const char *offsets;
  std::vector<int64_t> sizes;
  const char *valid;
  int64_t gap; ///< 0: does not apply.
};

class GmGapGuard : public ::testing::TestWithParam<GapCase> {};

TEST_P(GmGapGuard, MeasuresThePartition) {
  const GapCase &c = GetParam();
  Kernel kernel{.type = c.type,
                .body = "%c65520 = arith.constant 65520 : index\n%c48 = arith.constant 48 : index\n%v0 = arith.muli "
                        "%lane, %c48 : index\n"
                        "%rest = arith.subi %c65520, %v0 : index\n%live = arith.minsi %rest, %c48 : index\n"};
  kernel.body += load(kernel, c.offsets, c.sizes, c.valid);
  Outcome out = run(kernel);
  if (c.gap > kMaxGmGapBlocks) {
    ASSERT_THAT(out.errors(), ElementsAre("nz-gm-gap"));
    for (const std::string &word :
         {std::to_string(c.gap), std::string("65535"), std::string("pto-isa#317"), std::string("temporary"),
          std::string("taller row tile"), std::string("leading axis")}) {
      EXPECT_THAT(out.text(), HasSubstr(word));
    }
    return;
  }
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_EQ(out.report.accesses.at(0).gapBlocks.value_or(0), c.gap);
}

INSTANTIATE_TEST_SUITE_P(Rows, GmGapGuard,
                         ::testing::Values(GapCase{"[65536, 512] x i8, nz", "[0, 0]", {16, 512}, "", 65520},
                                           GapCase{"[65552, 512] x i8, nz", "[0, 0]", {16, 512}, "", 65536},
                                           GapCase{"[65552, 512] x i8, nz", "[0, 0]", {32, 512}, "", 65520},
                                           GapCase{"[65552, 32] x i8, nz", "[0, 0]", {16, 32}, "", 0},
                                           GapCase{"[65568, 128] x i8, nz", "[0, 64]", {32, 32}, "", 0},
                                           GapCase{"[65552, 64] x i8, nz", "[0, 0]", {32, 64}, "[16, 64]", 65536},
                                           GapCase{"[65536, 64] x i8, nz", "[0, 0]", {32, 64}, "[16, 64]", 65520},
                                           GapCase{"[65552, 16] x f32, nz", "[0, 0]", {16, 16}, "", 65536},
                                           GapCase{"[65536, 64] x f16, nz", "[0, 0]", {32, 64}, "", 65504},
                                           GapCase{"[65536, 64] x f16, nz", "[0, 0]", {48, 64}, "", 65488},
                                           GapCase{"[9, 8192, 64] x i8, nz", "[8, 8160, 0]", {1, 32, 64}, "", 8160},
                                           GapCase{"[2, 65552, 64] x f16, nz", "[0, 0, 0]", {1, 16, 64}, "", 65536},
                                           GapCase{"[65536, 64] x f16, nz", "[0, 0]", {48, 64}, "[%live, 64]", 65536},
                                           GapCase{"[65520, 64] x f16, nz", "[0, 0]", {48, 64}, "[%live, 64]", 65520},
                                           GapCase{"[65552, 64] x f16, nz", "[0, 0]", {16, 32}, "[16, 16]", 0}));

TEST(GmGapGuard, HoldsOnA5Too) {
  Kernel kernel{.type = "[65552, 64] x f16, nz", .body = "", .arch = "a5"};
  kernel.body = load(kernel, "[0, 0]", {16, 64});
  EXPECT_THAT(run(kernel).errors(), ElementsAre("nz-gm-gap"));
}

} // namespace
