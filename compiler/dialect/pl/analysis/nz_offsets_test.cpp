// SPDX-License-Identifier: Apache-2.0
// Symbolic offsets of NZ loads end to end: what is divided, what is refused, and which words say why.
#include "compiler/dialect/pl/analysis/nz_test_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace placid;
using namespace placid::pl::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace {

constexpr const char *kType = "[512, 1024] x i8, nz";

/// A load at `[row, col]` after `setup`; constants %c<n> are made for every n of `constants`.
Kernel kernelAt(const std::string &setup, const std::string &row, const std::string &col,
                std::vector<int64_t> constants = {}, const std::string &type = kType,
                std::vector<int64_t> sizes = {64, 64}) {
  Kernel kernel{.type = type, .body = ""};
  for (int64_t c : constants) {
    kernel.body += "%c" + (c < 0 ? "m" + std::to_string(-c) : std::to_string(c)) + " = arith.constant " +
                   std::to_string(c) + " : index\n";
  }
  kernel.body += setup + "\n" + load(kernel, "[" + row + ", " + col + "]", sizes);
  return kernel;
}

struct Accepted {
  const char *setup;
  std::vector<int64_t> constants;
  const char *row;
  const char *col;
  const char *offsets;
};

class NzAcceptedOffset : public ::testing::TestWithParam<Accepted> {};

TEST_P(NzAcceptedOffset, IsDividedWhole) {
  Outcome out = run(kernelAt(GetParam().setup, GetParam().row, GetParam().col, GetParam().constants));
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_EQ(show(out.report.accesses.at(0).offsets), GetParam().offsets);
  EXPECT_TRUE(out.roundTrips);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, NzAcceptedOffset,
    ::testing::Values(
        Accepted{
            "%n0 = arith.muli %lane, %c256 : index loc(\"n0\")", {256}, "%n0", "0", "[0, 0, floordiv(n0, 16), 0, 0]"},
        Accepted{
            "%n0 = arith.muli %lane, %c256 : index loc(\"n0\")", {256}, "0", "%n0", "[0, floordiv(n0, 32), 0, 0, 0]"},
        Accepted{"%r0 = arith.muli %lane, %c48 : index", {48}, "%r0", "0", "[0, 0, floordiv(lane * 48, 16), 0, 0]"},
        Accepted{"%a = arith.muli %lane, %c64 : index\n%r0 = arith.minsi %a, %c128 : index loc(\"r0\")",
                 {64, 128},
                 "%r0",
                 "0",
                 "[0, 0, floordiv(r0, 16), 0, 0]"},
        Accepted{"%a = arith.muli %lane, %c48 : index\n%b = arith.subi %a, %c48 : index\n%r0 = arith.maxsi %b, %c0 : "
                 "index loc(\"r0\")",
                 {48, 0},
                 "%r0",
                 "0",
                 "[0, 0, floordiv(r0, 16), 0, 0]"},
        Accepted{"%a = pl.floormod %lane, %c3 : index\n%k0 = arith.muli %a, %c128 : index loc(\"k0\")\n%b = "
                 "arith.floordivsi %lane, %c2 : index\n%n0 = arith.muli %b, %c128 : index loc(\"n0\")",
                 {2, 3, 128},
                 "%n0",
                 "%k0",
                 "[0, floordiv(k0, 32), floordiv(n0, 16), 0, 0]"},
        Accepted{"%base = arith.muli %lane, %c256 : index\n%kc = arith.addi %base, %c64 : index loc(\"kc\")",
                 {256, 64},
                 "0",
                 "%kc",
                 "[0, floordiv(kc, 32), 0, 0, 0]"},
        // A constant that has a name is a constant.
        Accepted{"%r = arith.constant 32 : index loc(\"r\")", {}, "%r", "0", "[0, 0, 2, 0, 0]"}));

TEST(NzOffsets, LoopVariables) {
  auto loop = [](const std::string &lower, const std::string &step, const std::string &offset,
                 std::vector<int64_t> constants) {
    Kernel kernel{.type = kType, .body = ""};
    for (int64_t c : constants) {
      kernel.body += "%c" + std::to_string(c) + " = arith.constant " + std::to_string(c) + " : index\n";
    }
    kernel.body += "%start = arith.muli %lane, %c32 : index\nscf.for %k = " + lower + " to %c512 step " + step +
                   " {\n%o = arith.muli %k, %c96 : index\n" + load(kernel, offset, {32, 32}) + "} loc(\"loop\")";
    return run(kernel);
  };
  std::vector<int64_t> cs{0, 16, 32, 64, 96, 512};
  EXPECT_THAT(loop("%c0", "%c64", "[%k, %k]", cs).errors(), IsEmpty());
  EXPECT_THAT(loop("%c0", "%c16", "[%k, 0]", cs).errors(), IsEmpty());
  EXPECT_THAT(loop("%c0", "%c16", "[0, %k]", cs).errors(), ElementsAre("nz-offset-align"));
  EXPECT_THAT(loop("%c16", "%c32", "[0, %k]", cs).errors(), ElementsAre("nz-offset-align"));
  EXPECT_THAT(loop("%start", "%c64", "[%k, 0]", cs).errors(), IsEmpty());
  EXPECT_THAT(loop("%lane", "%c16", "[%k, 0]", cs).errors(), ElementsAre("nz-offset-align"));
  EXPECT_THAT(loop("%lane", "%num", "[%o, 0]", cs).errors(), IsEmpty());
  EXPECT_THAT(loop("%s", "%c16", "[%o, 0]", cs).errors(), ElementsAre("nz-offset-sign"));
}

struct Refused {
  const char *setup;
  std::vector<int64_t> constants;
  const char *row;
  const char *col;
  const char *slug;
  std::vector<std::string> words;
};

class NzRefusedOffset : public ::testing::TestWithParam<Refused> {};

TEST_P(NzRefusedOffset, SaysWhy) {
  Outcome out = run(kernelAt(GetParam().setup, GetParam().row, GetParam().col, GetParam().constants));
  ASSERT_THAT(out.errors(), ElementsAre(std::string("nz-") + GetParam().slug));
  for (const std::string &word : GetParam().words) {
    EXPECT_THAT(out.text(), HasSubstr(word));
  }
  EXPECT_THAT(out.text(), HasSubstr("provable forms"));
  EXPECT_TRUE(out.diagnostics[0].annotation);
  EXPECT_FALSE(out.diagnostics[0].fixes.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Alignment, NzRefusedOffset,
    ::testing::Values(
        Refused{"%r0 = arith.muli %lane, %c24 : index loc(\"r0\")",
                {24},
                "%r0",
                "0",
                "offset-align",
                {"shape[-2]", "16", "`r0`", "neither factor of `lane * 24`", "`w`"}},
        Refused{"%r0 = arith.muli %lane, %c8 : index loc(\"r0\")",
                {8},
                "0",
                "%r0",
                "offset-align",
                {"shape[-1]", "c0 = 32"}},
        Refused{"%a = arith.muli %lane, %c4 : index\n%r0 = arith.muli %a, %c8 : index",
                {4, 8},
                "0",
                "%r0",
                "offset-align",
                {"lane * 4", "* 8"}},
        Refused{"%a = arith.muli %lane, %c16 : index\n%r0 = arith.minsi %a, %c24 : index loc(\"r0\")",
                {16, 24},
                "%r0",
                "0",
                "offset-align",
                {"24 is not"}},
        Refused{"%a = arith.muli %lane, %c48 : index\n%r0 = arith.maxsi %a, %c8 : index loc(\"r0\")",
                {48, 8},
                "%r0",
                "0",
                "offset-align",
                {"8 is not"}},
        Refused{"%a = arith.muli %lane, %c32 : index\n%r0 = pl.floormod %a, %c128 : index loc(\"r0\")",
                {32, 128},
                "%r0",
                "0",
                "offset-align",
                {"remainder"}},
        Refused{"%a = arith.muli %lane, %c256 : index\n%r0 = arith.floordivsi %a, %c4 : index loc(\"r0\")",
                {256, 4},
                "%r0",
                "0",
                "offset-align",
                {"quotient"}},
        Refused{"%a = arith.muli %lane, %c256 : index\n%r0 = arith.addi %a, %c8 : index loc(\"r0\")",
                {256, 8},
                "%r0",
                "0",
                "offset-align",
                {"8 is not"}},
        Refused{"", {}, "%s", "0", "offset-align", {"parameter `s`"}},
        Refused{"", {}, "%lane", "0", "offset-align", {"block number"}},
        Refused{"%f = arith.cmpi eq, %lane, %num : index\n%r = scf.if %f -> index {\nscf.yield %c0 : index\n} else "
                "{\nscf.yield %c32 : index\n} loc(\"r\")",
                {0, 32},
                "%r",
                "0",
                "offset-align",
                {"`if`"}},
        Refused{"%r0 = arith.shli %lane, %c5 : index loc(\"r0\")",
                {5},
                "%r0",
                "0",
                "offset-align",
                {"none of the provable forms"}},
        // Row before column, alignment before sign.
        Refused{"%r0 = arith.muli %lane, %c48 : index\n%k0 = arith.muli %lane, %c48 : index loc(\"k0\")",
                {48},
                "%r0",
                "%k0",
                "offset-align",
                {"shape[-1]", "`k0`"}},
        Refused{"%a = arith.muli %s, %c8 : index loc(\"a\")", {8}, "%a", "%s", "offset-align", {"shape[-2]"}}));

INSTANTIATE_TEST_SUITE_P(
    Sign, NzRefusedOffset,
    ::testing::Values(
        Refused{"%a = arith.muli %lane, %c256 : index\n%n0 = arith.subi %a, %c256 : index loc(\"n0\")",
                {256},
                "%n0",
                "0",
                "offset-sign",
                {"shape[-2]", "non-negative", "difference"}},
        Refused{"%a = arith.muli %lane, %c64 : index\n%b = arith.subi %a, %c64 : index\n%r0 = arith.minsi %b, %c128 : "
                "index loc(\"r0\")",
                {64, 128},
                "%r0",
                "0",
                "offset-sign",
                {"difference"}},
        Refused{"%a = arith.subi %lane, %c1 : index\n%n0 = arith.muli %a, %c16 : index loc(\"n0\")",
                {1, 16},
                "%n0",
                "0",
                "offset-sign",
                {"lane - 1"}},
        Refused{"%a = arith.subi %lane, %c1 : index\n%b = pl.floormod %a, %c2 : index\n%k0 = arith.muli %b, %c512 : "
                "index loc(\"k0\")",
                {1, 2, 512},
                "0",
                "%k0",
                "offset-sign",
                {"shape[-1]"}},
        Refused{"%b = pl.floormod %lane, %s : index\n%k0 = arith.muli %b, %c512 : index loc(\"k0\")",
                {512},
                "0",
                "%k0",
                "offset-sign",
                {"positive constant"}},
        Refused{"%b = pl.floormod %lane, %cm2 : index\n%k0 = arith.muli %b, %c512 : index loc(\"k0\")",
                {-2, 512},
                "0",
                "%k0",
                "offset-sign",
                {"positive constant"}},
        Refused{"%a = arith.subi %c0, %lane : index\n%b = arith.subi %c0, %c16 : index\n%n0 = arith.muli %a, %b : "
                "index loc(\"n0\")",
                {0, 16},
                "%n0",
                "0",
                "offset-sign",
                {"difference"}},
        Refused{"%r0 = arith.muli %s, %c16 : index loc(\"r0\")", {16}, "%r0", "0", "offset-sign", {"parameter `s`"}},
        Refused{"%i = arith.muli %lane, %cm32 : index\n%r = arith.addi %c224, %i : index loc(\"r\")",
                {224, -32},
                "%r",
                "0",
                "offset-sign",
                {"-32 is negative"}},
        Refused{"%d = pl.dim %w, 0 : !pl.tensor<[512, 1024] x i8, nz>\n%r0 = arith.muli %d, %c16 : index loc(\"r0\")",
                {16},
                "%r0",
                "0",
                "offset-sign",
                {"extent"}},
        Refused{"%i = pl.cast %s : index -> i32\n%j = pl.cast %i : i32 -> index\n%r0 = arith.muli %j, %c16 : index "
                "loc(\"r0\")",
                {16},
                "%r0",
                "0",
                "offset-sign",
                {"cast"}}));

TEST(NzOffsets, NamedNegativeConstantIsRefusedLikeTheLiteral) {
  Outcome out = run(kernelAt("%n0 = arith.constant -16 : index loc(\"n0\")", "%n0", "0"));
  ASSERT_THAT(out.errors(), ElementsAre("nz-offset-sign"));
  EXPECT_THAT(out.text(), HasSubstr("-16"));
  EXPECT_THAT(out.text(), HasSubstr("`n0` is bound here"));
}

TEST(NzOffsets, CarriedVariableIsNeverResolved) {
  Kernel kernel{.type = kType,
                .body = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c4 = arith.constant 4 : "
                        "index\n%c32 = arith.constant 32 : index\n"
                        "%end = scf.for %i = %c0 to %c4 step %c1 iter_args(%row = %c0) -> index {\n"};
  kernel.body +=
      load(kernel, "[%row, 0]", {32, 32}) + "%next = arith.addi %row, %c32 : index\nscf.yield %next : index\n}";
  Outcome out = run(kernel);
  ASSERT_THAT(out.errors(), ElementsAre("nz-offset-align"));
  EXPECT_THAT(out.text(), HasSubstr("carried by a loop"));
}

TEST(NzOffsets, DivisionKeepsTheOffsetsOwnTypeAndTree) {
  Outcome out = run(kernelAt("%x = pl.cast %lane : index -> i32 loc(\"x\")\n%k = arith.constant 256 : i32\n%n0 = "
                             "arith.muli %x, %k : i32 loc(\"n0\")",
                             "%n0 : i32", "0"));
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_THAT(out.ir, HasSubstr("arith.muli"));
  EXPECT_THAT(out.ir, HasSubstr("arith.floordivsi"));
  EXPECT_THAT(out.ir, HasSubstr("arith.constant 16 : i32"));
  EXPECT_THAT(out.ir, HasSubstr(" : i32, 0, 0] sizes [1, 2, 4, 16, 32]"));
}

TEST(NzOffsets, ReportExplainsTheProofs) {
  Outcome out = run(kernelAt("%r0 = arith.muli %lane, %c48 : index loc(\"r0\")", "%r0", "0", {48}));
  const auto &proof = out.report.accesses.at(0).proof;
  ASSERT_EQ(proof.size(), 1U);
  EXPECT_EQ(proof[0].axis, -2);
  EXPECT_EQ(proof[0].factor, 16);
  EXPECT_EQ(proof[0].expr, "r0");
  EXPECT_EQ(proof[0].multiple, "48 * lane: factor 48");
  EXPECT_EQ(proof[0].nonNegative, "block index");
}

TEST(NzOffsets, LongChainsAreLinear) {
  Kernel kernel{.type = kType, .body = "%x0 = arith.addi %lane, %lane : index\n"};
  constexpr int kLength = 20000; // a walk without memo would need 2^20000 steps, a recursive one this much stack
  for (int i = 1; i < kLength; ++i) {
    std::string previous = "%x" + std::to_string(i - 1);
    kernel.body += "%x" + std::to_string(i) + " = arith.addi " + previous + ", " + previous + " : index\n";
  }
  std::string last = "%x" + std::to_string(kLength - 1);
  kernel.body += "%c16 = arith.constant 16 : index\n%y = arith.muli " + last + ", %c16 : index\n";
  Kernel bad = kernel;
  kernel.body += load(kernel, "[%y, 0]", {32, 32});
  EXPECT_THAT(run(kernel).errors(), IsEmpty());
  bad.body += load(bad, "[" + last + ", 0]", {32, 32});
  EXPECT_THAT(run(bad).errors(), ElementsAre("nz-offset-align"));
}

//===-- Leading axes ----------------------------------------------------------------------------------------------===//

TEST(NzBatch, FoldsByHorner) {
  Kernel kernel{.type = "[2, 4, 32, 64] x f16, nz", .body = ""};
  kernel.body = load(kernel, "[%lane, %num, 0, 0]", {1, 1, 32, 64}) + load(kernel, "[1, %num, 0, 0]", {1, 1, 32, 64}) +
                load(kernel, "[%lane, 3, 0, 0]", {1, 1, 32, 64}) + load(kernel, "[0, %num, 0, 0]", {1, 1, 32, 64});
  Outcome out = run(kernel);
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_EQ(show(out.report.accesses.at(0).offsets), "[lane * 4 + num, 0, 0, 0, 0]");
  EXPECT_EQ(show(out.report.accesses.at(1).offsets), "[4 + num, 0, 0, 0, 0]");
  EXPECT_EQ(show(out.report.accesses.at(2).offsets), "[lane * 4 + 3, 0, 0, 0, 0]");
  EXPECT_EQ(show(out.report.accesses.at(3).offsets), "[num, 0, 0, 0, 0]");
  EXPECT_TRUE(out.roundTrips);
}

TEST(NzBatch, ThreeAxesOfMixedTypes) {
  Kernel kernel{.type = "[2, 3, 5, 32, 64] x f16, nz", .body = "%x = pl.cast %lane : index -> i32 loc(\"x\")\n"};
  kernel.body += load(kernel, "[%lane, %x : i32, %num, 0, 0]", {1, 1, 1, 32, 64});
  Outcome out = run(kernel);
  EXPECT_EQ(show(out.report.accesses.at(0).offsets), "[(lane * 3 + x) * 5 + num, 0, 0, 0, 0]");
  EXPECT_THAT(out.ir, HasSubstr("pl.cast"));
  EXPECT_TRUE(out.roundTrips);
}

TEST(NzBatch, UnknownSignIsAWarning) {
  Kernel kernel{.type = "[4, 32, 64] x f16, nz", .body = ""};
  kernel.body = load(kernel, "[%s, 0, 0]", {1, 32, 64});
  Outcome out = run(kernel);
  EXPECT_THAT(out.errors(), IsEmpty());
  EXPECT_THAT(out.warnings(), ElementsAre("nz-offset-sign"));
  EXPECT_TRUE(out.diagnostics[0].annotation);
  EXPECT_EQ(show(out.report.accesses.at(0).offsets), "[s, 0, 0, 0, 0]");
  EXPECT_THAT(out.ir, HasSubstr("nz_tensor_views_blocked"));
}

} // namespace
