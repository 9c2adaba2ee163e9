// SPDX-License-Identifier: Apache-2.0
// Declarations and loads of NZ tensors: what is accepted becomes exactly this, what is refused is refused for this
// reason. Values are chosen so that swapping rows and columns, 16 and c0, or two axes is visible.
#include "compiler/dialect/pl/analysis/nz_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace placid;
using namespace placid::pl::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// `body` may hold {…}: nothing is substituted, it is IR text.
void expectRefused(const Kernel &kernel, const std::string &slug, std::vector<std::string> words) {
  Outcome out = run(kernel);
  ASSERT_THAT(out.errors(), ElementsAre("nz-" + slug)) << kernel.type << "\n"
                                                       << kernel.body << (out.diagnostics.empty() ? "" : out.text());
  for (const std::string &word : words) {
    EXPECT_THAT(out.text(), HasSubstr(word));
  }
  EXPECT_TRUE(out.diagnostics[0].annotation);
  EXPECT_THAT(out.ir, HasSubstr(kernel.type)) << "nothing may be changed";
}

//===-- Declarations ----------------------------------------------------------------------------------------------===//

struct Blocking {
  const char *type;
  const char *blocked;
  const char *strides;
};

class NzBlocking : public ::testing::TestWithParam<Blocking> {};

TEST_P(NzBlocking, ShapeAndStrides) {
  Outcome out = run({.type = GetParam().type, .body = ""});
  ASSERT_THAT(out.errors(), IsEmpty()) << out.text();
  ASSERT_FALSE(out.report.tensors.empty());
  EXPECT_EQ(show(out.report.tensors[0].blocked), GetParam().blocked);
  EXPECT_EQ(show(out.report.tensors[0].strides), GetParam().strides);
  EXPECT_TRUE(out.roundTrips);
  EXPECT_THAT(out.ir, HasSubstr("nz_tensor_views_blocked"));
}

INSTANTIATE_TEST_SUITE_P(
    Dtypes, NzBlocking,
    ::testing::Values(Blocking{"[256, 512] x i8, nz", "[1, 16, 16, 16, 32]", "[131072, 8192, 512, 32, 1]"},
                      Blocking{"[32, 2048, 4096] x i8, nz", "[32, 128, 128, 16, 32]", "[8388608, 65536, 512, 32, 1]"},
                      Blocking{"[48, 96] x ui8, nz", "[1, 3, 3, 16, 32]", "[4608, 1536, 512, 32, 1]"},
                      Blocking{"[64, 96] x f8e4m3fn, nz", "[1, 3, 4, 16, 32]", "[6144, 2048, 512, 32, 1]"},
                      Blocking{"[32, 64] x f8e5m2, nz", "[1, 2, 2, 16, 32]", "[2048, 1024, 512, 32, 1]"},
                      Blocking{"[32, 64] x hf8, nz", "[1, 2, 2, 16, 32]", "[2048, 1024, 512, 32, 1]"},
                      Blocking{"[32, 64] x f8e8m0, nz", "[1, 2, 2, 16, 32]", "[2048, 1024, 512, 32, 1]"},
                      Blocking{"[32, 48] x i16, nz", "[1, 3, 2, 16, 16]", "[1536, 512, 256, 16, 1]"},
                      Blocking{"[256, 512] x f16, nz", "[1, 32, 16, 16, 16]", "[131072, 4096, 256, 16, 1]"},
                      Blocking{"[16, 16] x bf16, nz", "[1, 1, 1, 16, 16]", "[256, 256, 256, 16, 1]"},
                      Blocking{"[128, 64] x f32, nz", "[1, 8, 8, 16, 8]", "[8192, 1024, 128, 8, 1]"},
                      Blocking{"[64, 16] x i32, nz", "[1, 2, 4, 16, 8]", "[1024, 512, 128, 8, 1]"},
                      Blocking{"[32, 24] x ui32, nz", "[1, 3, 2, 16, 8]", "[768, 256, 128, 8, 1]"},
                      Blocking{"[32, 8] x i64, nz", "[1, 2, 2, 16, 4]", "[256, 128, 64, 4, 1]"},
                      Blocking{"[16, 32] x i8, nz", "[1, 1, 1, 16, 32]", "[512, 512, 512, 32, 1]"}));

INSTANTIATE_TEST_SUITE_P(
    Ranks, NzBlocking,
    ::testing::Values(Blocking{"[1, 64, 64] x f16, nz", "[1, 4, 4, 16, 16]", "[4096, 1024, 256, 16, 1]"},
                      Blocking{"[B, 32, 64] x f16, nz", "[B, 4, 2, 16, 16]", "[2048, 512, 256, 16, 1]"},
                      Blocking{"[2, 4, 256, 512] x i8, nz", "[8, 16, 16, 16, 32]", "[131072, 8192, 512, 32, 1]"},
                      Blocking{"[2, 3, 2, 32, 64] x f16, nz", "[12, 4, 2, 16, 16]", "[2048, 512, 256, 16, 1]"},
                      Blocking{"[2, 2, 2, 2, 16, 32] x i8, nz", "[16, 1, 1, 16, 32]", "[512, 512, 512, 32, 1]"},
                      // Logical, although it ends in [16, c0].
                      Blocking{"[2, 3, 4, 16, 32] x i8, nz", "[24, 1, 1, 16, 32]", "[512, 512, 512, 32, 1]"},
                      Blocking{"[64, 176] x f16, nz", "[1, 11, 4, 16, 16]", "[11264, 1024, 256, 16, 1]"},
                      Blocking{"[5, 48, 24] x f32, nz", "[5, 3, 3, 16, 8]", "[1152, 384, 128, 8, 1]"}));

TEST(NzDeclarations, NdStaysAsItIs) {
  Outcome out = run({.type = "[1, 16, 16, 16, 32] x i8", .body = ""});
  EXPECT_THAT(out.ir, HasSubstr("!pl.tensor<[1, 16, 16, 16, 32] x i8>"));
  EXPECT_THAT(out.ir, Not(HasSubstr("nz_tensor_views_blocked")));
  ASSERT_EQ(out.report.tensors.size(), 1U);
  EXPECT_EQ(out.report.tensors[0].layout, "ND");
  EXPECT_THAT(out.report.tensors[0].blocked, IsEmpty());
}

TEST(NzDeclarations, SecondRunChangesNothing) {
  Kernel kernel{.type = "[2, 3, 4, 16, 32] x i8, nz", .body = ""};
  kernel.body = load(kernel, "[1, 2, 3, 0, 0]", {1, 1, 1, 16, 32});
  Outcome once = run(kernel);
  ASSERT_THAT(once.errors(), IsEmpty());
  EXPECT_EQ(show(once.report.accesses.at(0).offsets), "[23, 0, 0, 0, 0]");
  EXPECT_EQ(run(kernel, 2).ir, once.ir);
  EXPECT_EQ(run(kernel, 3).ir, once.ir);
}

struct Refusal {
  const char *type;
  const char *slug;
  std::vector<std::string> words;
};

class NzRefusedDeclaration : public ::testing::TestWithParam<Refusal> {};

TEST_P(NzRefusedDeclaration, BlamesTheAnnotation) {
  expectRefused({.type = GetParam().type, .body = ""}, GetParam().slug, GetParam().words);
  Outcome out = run({.type = GetParam().type, .body = ""});
  EXPECT_EQ(out.report.tensors.at(0).rejected, std::string("nz-") + GetParam().slug);
  EXPECT_THAT(out.report.tensors.at(0).blocked, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Plane, NzRefusedDeclaration,
    ::testing::Values(Refusal{"[200, 512] x i8, nz", "rows-align", {"shape[-2]", "16", "200", "`w`"}},
                      Refusal{"[8, 32] x i8, nz", "rows-align", {"16", "8"}},
                      Refusal{"[17, 64] x f16, nz", "rows-align", {"16", "17"}},
                      Refusal{"[15, 64] x f16, nz", "rows-align", {"16", "15"}},
                      Refusal{"[31, 64] x f16, nz", "rows-align", {"16", "31"}},
                      Refusal{"[0, 64] x f16, nz", "rows-align", {"positive", "0"}},
                      Refusal{"[256, 400] x i8, nz", "cols-align", {"shape[-1]", "c0 = 32", "400", "INT8"}},
                      Refusal{"[64, 176] x i8, nz", "cols-align", {"32", "176", "INT8"}},
                      Refusal{"[32, 24] x f16, nz", "cols-align", {"16", "24"}},
                      Refusal{"[32, 12] x f32, nz", "cols-align", {"8", "12"}},
                      Refusal{"[32, 6] x i64, nz", "cols-align", {"4", "6"}},
                      Refusal{"[32, 0] x f16, nz", "cols-align", {"positive"}},
                      Refusal{"[R, 64] x f16, nz", "dynamic-plane", {"shape[-2]", "static", "`R`"}},
                      Refusal{"[32, C] x f16, nz", "dynamic-plane", {"shape[-1]", "static", "`C`"}},
                      Refusal{"[R, C] x f16, nz", "dynamic-plane", {"shape[-2]"}},
                      // Rows first, the columns are mentioned.
                      Refusal{"[200, 400] x i8, nz", "rows-align", {"200", "also:", "400"}}));

INSTANTIATE_TEST_SUITE_P(
    Other, NzRefusedDeclaration,
    ::testing::Values(Refusal{"[512] x f32, nz", "rank", {">= 2", "got 1", "trailing pair is the fractal plane"}},
                      Refusal{"[] x f32, nz", "rank", {"got 0"}},
                      Refusal{"[D, 4, 32, 64] x f16, nz", "fold-dynamic", {"static", "axis 0", "fold"}},
                      Refusal{"[4, D, 32, 64] x f16, nz", "fold-dynamic", {"axis 1"}},
                      Refusal{"[1, D, 32, 64] x f16, nz", "fold-dynamic", {"axis 1"}},
                      Refusal{"[64, 128] x i4, nz", "sub-byte", {"INT4", "unsupported"}},
                      Refusal{"[64, 128] x ui4, nz", "sub-byte", {"UINT4"}},
                      Refusal{"[64, 128] x hf4, nz", "sub-byte", {"HF4"}},
                      Refusal{"[64, 128] x bool, nz", "sub-byte", {"BOOL"}},
                      Refusal{"[256, 512] x fp4, nz", "sub-byte", {"FP4", "unsupported"}},
                      Refusal{"[32, 544] x fp4, nz", "sub-byte", {"FP4"}},
                      Refusal{"[32, 64] x f16, nz, strides = [64, 1]", "stride", {"stride", "drop it"}},
                      Refusal{"[48, 64] x f16, nz, valid = [32, 64]", "valid-shape", {"valid_shape"}},
                      Refusal{"[48, 64] x f16, nz, valid = [48, 64]", "valid-shape", {"valid_shape"}},
                      Refusal{"[64, 64] x f16, nz, distributed", "distributed", {"distributed tensor"}},
                      Refusal{"[60, 64] x f16, nz, distributed", "distributed", {"distributed tensor"}},
                      Refusal{"[60, 64] x i4, nz", "sub-byte", {"INT4"}},
                      Refusal{"[R, 60] x f16, nz", "dynamic-plane", {"shape[-2]"}},
                      Refusal{"[48, 60] x f16, nz, strides = [60, 1], valid = [32, 60]", "cols-align", {"60"}},
                      Refusal{
                          "[48, 64] x f16, nz, strides = [64, 1], valid = [32, 64]", "valid-shape", {"valid_shape"}}));

TEST(NzDeclarations, ElementCountThatDoesNotFit) {
  Outcome out = run({.type = "[1099511627776, 1099511627776, 32, 64] x f16, nz", .body = ""});
  EXPECT_THAT(out.errors(), ElementsAre("bad-annotation"));
}

TEST(NzDeclarations, RefusedOneSilencesItsUses) {
  Kernel kernel{.type = "[200, 512] x i8, nz", .body = ""};
  kernel.body = load(kernel, "[8, 0]", {24, 40}, "", "vec");
  expectRefused(kernel, "rows-align", {"200"});
}

//===-- Loads: windows and constants ------------------------------------------------------------------------------===//

struct LoadCase {
  const char *type;
  const char *offsets;
  std::vector<int64_t> sizes;
  const char *blockedOffsets;
  const char *blockedSizes;
};

class NzLoad : public ::testing::TestWithParam<LoadCase> {};

TEST_P(NzLoad, WindowIsBlocked) {
  Kernel kernel{.type = GetParam().type, .body = ""};
  kernel.body = load(kernel, GetParam().offsets, GetParam().sizes);
  Outcome out = run(kernel);
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_EQ(show(out.report.accesses.at(0).offsets), GetParam().blockedOffsets);
  EXPECT_EQ(show(out.report.accesses.at(0).sizes), GetParam().blockedSizes);
  // The report and the IR are made by different code: both must say it.
  EXPECT_THAT(out.ir, HasSubstr(std::string(GetParam().blockedOffsets) + " sizes " + GetParam().blockedSizes));
  EXPECT_TRUE(out.roundTrips);
}

INSTANTIATE_TEST_SUITE_P(
    Constant, NzLoad,
    ::testing::Values(
        LoadCase{"[4, 512, 1024] x i8, nz", "[1, 256, 512]", {1, 256, 512}, "[1, 16, 16, 0, 0]", "[1, 16, 16, 16, 32]"},
        LoadCase{"[512, 1024] x i8, nz", "[256, 512]", {256, 512}, "[0, 16, 16, 0, 0]", "[1, 16, 16, 16, 32]"},
        LoadCase{"[208, 384] x i8, nz", "[64, 96]", {48, 128}, "[0, 3, 4, 0, 0]", "[1, 4, 3, 16, 32]"},
        LoadCase{"[128, 256] x f16, nz", "[64, 0]", {64, 256}, "[0, 0, 4, 0, 0]", "[1, 16, 4, 16, 16]"},
        LoadCase{"[128, 256] x f16, nz", "[0, 128]", {128, 128}, "[0, 8, 0, 0, 0]", "[1, 8, 8, 16, 16]"},
        LoadCase{"[64, 112] x bf16, nz", "[0, 0]", {64, 112}, "[0, 0, 0, 0, 0]", "[1, 7, 4, 16, 16]"},
        LoadCase{"[64, 64] x f16, nz", "[0, 16]", {64, 16}, "[0, 1, 0, 0, 0]", "[1, 1, 4, 16, 16]"},
        LoadCase{
            "[2, 4, 256, 512] x i8, nz", "[1, 3, 0, 0]", {1, 1, 256, 512}, "[7, 0, 0, 0, 0]", "[1, 16, 16, 16, 32]"},
        LoadCase{"[2, 3, 2, 32, 64] x f16, nz",
                 "[1, 2, 1, 0, 0]",
                 {1, 1, 1, 32, 64},
                 "[11, 0, 0, 0, 0]",
                 "[1, 4, 2, 16, 16]"},
        LoadCase{"[2, 3, 64, 64] x bf16, nz", "[1, 2, 32, 16]", {1, 1, 32, 48}, "[5, 1, 2, 0, 0]", "[1, 3, 2, 16, 16]"},
        LoadCase{"[B, 32, 64] x f16, nz", "[0, 0, 0]", {1, 32, 64}, "[0, 0, 0, 0, 0]", "[1, 4, 2, 16, 16]"}));

TEST(NzLoads, TwoWindowsOfOneTensor) {
  Kernel kernel{.type = "[128, 256] x f16, nz", .body = ""};
  kernel.body = load(kernel, "[0, 0]", {64, 256}) + load(kernel, "[64, 16]", {16, 32});
  Outcome out = run(kernel);
  ASSERT_EQ(out.report.accesses.size(), 2U);
  EXPECT_EQ(show(out.report.accesses[0].sizes), "[1, 16, 4, 16, 16]");
  EXPECT_EQ(show(out.report.accesses[1].offsets), "[0, 1, 4, 0, 0]");
  EXPECT_EQ(show(out.report.accesses[1].tile), "[16, 32]");
}

TEST(NzLoads, AttributesAndTileTypeSurvive) {
  Outcome out = run(
      {.type = "[64, 64] x f16, nz",
       .body =
           R"(%t = pl.tile.load %w [0, 0] sizes [64, 64] {cache = "bypass", clamp} : !pl.tensor<[64, 64] x f16, nz> -> !pl.tile<64x64xf16, mat>)"});
  EXPECT_THAT(out.ir, HasSubstr("{cache = \"bypass\", clamp} : <[1, 4, 4, 16, 16] x f16, nz> -> <64x64xf16, mat>"));
}

struct RefusedLoad {
  const char *type;
  const char *offsets;
  std::vector<int64_t> sizes;
  const char *slug;
  std::vector<std::string> words;
  const char *mem = "mat";
};

class NzRefusedLoad : public ::testing::TestWithParam<RefusedLoad> {};

TEST_P(NzRefusedLoad, FirstReasonInOrder) {
  Kernel kernel{.type = GetParam().type, .body = ""};
  kernel.body = load(kernel, GetParam().offsets, GetParam().sizes, "", GetParam().mem);
  expectRefused(kernel, GetParam().slug, GetParam().words);
  EXPECT_EQ(run(kernel).report.accesses.at(0).rejected, std::string("nz-") + GetParam().slug);
}

INSTANTIATE_TEST_SUITE_P(
    Constant, NzRefusedLoad,
    ::testing::Values(
        RefusedLoad{"[512, 1024] x i8, nz", "[8, 0]", {256, 512}, "offset-align", {"shape[-2]", "16", "8"}},
        RefusedLoad{
            "[512, 1024] x i8, nz", "[0, 16]", {256, 512}, "offset-align", {"shape[-1]", "c0 = 32", "16", "INT8"}},
        RefusedLoad{"[512, 1024] x i8, nz", "[8, 16]", {256, 512}, "offset-align", {"shape[-2]", "8"}},
        RefusedLoad{"[512, 1024] x i8, nz", "[-16, 0]", {256, 512}, "offset-sign", {"-16", "non-negative"}},
        RefusedLoad{"[512, 1024] x i8, nz", "[0, -32]", {256, 512}, "offset-sign", {"-32", "shape[-1]"}},
        RefusedLoad{"[96, 64] x f16, nz", "[0, 0]", {24, 64}, "rows-align", {"16", "24", "window"}},
        RefusedLoad{"[96, 64] x f16, nz", "[0, 0]", {32, 40}, "cols-align", {"16", "40", "window"}},
        RefusedLoad{"[96, 64] x f16, nz", "[0, 0]", {32, 64}, "target-memory", {"Mat", "Vec"}, "vec"},
        RefusedLoad{"[96, 64] x f16, nz", "[0, 0]", {32, 64}, "target-memory", {"Mat", "Left"}, "left"},
        RefusedLoad{"[96, 64] x f16, nz", "[0, 0]", {32, 64}, "target-memory", {"Mat"}, "unset"},
        RefusedLoad{"[96, 64] x f16, nz", "[8, 0]", {24, 64}, "target-memory", {"Vec"}, "vec"},
        RefusedLoad{"[96, 64] x f16, nz", "[8, 0]", {24, 40}, "offset-align", {"8"}},
        RefusedLoad{"[4, 32, 64] x f16, nz", "[-1, 0, 0]", {1, 32, 64}, "offset-sign", {"batch", "-1"}},
        RefusedLoad{"[4, 32, 64] x f16, nz", "[0, 0, 0]", {2, 32, 64}, "window", {"2 panels", "one panel"}}));

//===-- valid_shape and the gap -----------------------------------------------------------------------------------===//

struct ValidCase {
  const char *type;
  std::vector<int64_t> sizes;
  const char *valid;
  const char *outcome; ///< Blocked sizes, or a slug.
  std::vector<std::string> words;
};

class NzValid : public ::testing::TestWithParam<ValidCase> {};

TEST_P(NzValid, Partition) {
  Kernel kernel{
      .type = GetParam().type,
      .body =
          "%c800 = arith.constant 800 : index\n%c256 = arith.constant 256 : index\n%c250 = arith.constant 250 : index\n"
          "%c160 = arith.constant 160 : index\n%o0 = arith.muli %lane, %c160 : index\n%rest = arith.subi %c800, %o0 : "
          "index\n"
          "%live = arith.minsi %rest, %c256 : index loc(\"live\")\n%bad = arith.minsi %rest, %c250 : index "
          "loc(\"bad\")\n"};
  std::string offsets = std::count(kernel.type.begin(), kernel.type.end(), ',') == 3 ? "[0, 0, 0]" : "[0, 0]";
  kernel.body += load(kernel, offsets, GetParam().sizes, GetParam().valid);
  std::string want = GetParam().outcome;
  if (want.front() != '[') {
    expectRefused(kernel, want, GetParam().words);
    return;
  }
  Outcome out = run(kernel);
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_EQ(show(out.report.accesses.at(0).sizes), want);
  EXPECT_TRUE(out.roundTrips);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, NzValid,
    ::testing::Values(
        ValidCase{"[800, 512] x i8, nz", {256, 512}, "[%live, 512]", "[1, 16, floordiv(live, 16), 16, 32]", {}},
        ValidCase{"[800, 512] x i8, nz",
                  {256, 512},
                  "[%bad, 512]",
                  "valid-shape",
                  {"dynamic valid_shape[-2]", "provable multiple of 16", "250"}},
        ValidCase{
            "[800, 512] x i8, nz", {256, 512}, "[%rest, 512]", "[1, 16, floordiv(800 - lane * 160, 16), 16, 32]", {}},
        ValidCase{"[800, 512] x i8, nz", {256, 512}, "[256, %live]", "valid-shape", {"shape[-1]", "static"}},
        ValidCase{"[96, 64] x f16, nz", {48, 64}, "[40, 64]", "valid-shape", {"16", "40"}},
        ValidCase{"[96, 64] x f16, nz", {64, 64}, "[48, 64]", "[1, 4, 3, 16, 16]", {}},
        ValidCase{"[96, 64] x f16, nz", {64, 64}, "[64, 32]", "[1, 2, 4, 16, 16]", {}},
        ValidCase{"[96, 64] x f16, nz", {64, 64}, "[64, 24]", "valid-shape", {"c0 = 16", "24"}},
        ValidCase{"[96, 64] x f16, nz", {64, 64}, "[0, 64]", "valid-shape", {"0", "positive"}},
        ValidCase{"[4, 96, 64] x f16, nz", {1, 64, 64}, "[1, 32, 64]", "[1, 4, 2, 16, 16]", {}},
        ValidCase{"[4, 96, 64] x f16, nz", {1, 64, 64}, "[0, 32, 64]", "valid-shape", {"valid_shape[0]"}}));

} // namespace
