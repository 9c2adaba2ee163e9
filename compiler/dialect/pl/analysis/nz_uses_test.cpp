// SPDX-License-Identifier: Apache-2.0
// Slices, flattens, stores and all other uses of NZ tensors, and how a refusal travels through a module.
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

struct Use {
  const char *type;
  const char *body;
  const char *outcome; ///< "offsets sizes" of the last access, or a slug.
  std::vector<std::string> words;
  const char *arch = "a3";
};

void check(const Use &use) {
  Outcome out = run({.type = use.type, .body = use.body, .arch = use.arch});
  std::string want = use.outcome;
  if (want.front() != '[') {
    ASSERT_THAT(out.errors(), ElementsAre("nz-" + want)) << use.body << (out.diagnostics.empty() ? "" : out.text());
    for (const std::string &word : use.words) {
      EXPECT_THAT(out.text(), HasSubstr(word));
    }
    EXPECT_TRUE(out.diagnostics[0].annotation);
    return;
  }
  ASSERT_THAT(out.errors(), IsEmpty()) << use.body << out.text();
  EXPECT_EQ(show(out.report.accesses.back().offsets) + " " + show(out.report.accesses.back().sizes), want);
  EXPECT_TRUE(out.roundTrips);
  for (const std::string &word : use.words) {
    EXPECT_THAT(out.ir, HasSubstr(word));
  }
}

class NzSlice : public ::testing::TestWithParam<Use> {};
TEST_P(NzSlice, LeadingAxesOnly) { check(GetParam()); }

#define W4 "!pl.tensor<[4, 3, 32, 64] x i8, nz>"
INSTANTIATE_TEST_SUITE_P(
    Cases, NzSlice,
    ::testing::Values(Use{"[4, 256, 512] x i8, nz",
                          "%v = pl.tensor.slice %w [2, 0, 0] sizes [2, 256, 512] : !pl.tensor<[4, 256, 512] x i8, nz> "
                          "-> !pl.tensor<[2, 256, 512] x i8, nz>",
                          "[2, 0, 0, 0, 0] [2, 16, 16, 16, 32]",
                          {"-> <[2, 16, 16, 16, 32] x i8, nz>"}},
                      Use{"[2, 4, 256, 512] x i8, nz",
                          "%v = pl.tensor.slice %w [0, 1, 0, 0] sizes [2, 2, 256, 512] : !pl.tensor<[2, 4, 256, 512] x "
                          "i8, nz> -> !pl.tensor<[2, 2, 256, 512] x i8, nz>",
                          "window",
                          {"one leading axis", "shape[1]", "contiguous"}},
                      Use{"[4, 3, 32, 64] x i8, nz",
                          "%v = pl.tensor.slice %w [2, 1, 0, 0] sizes [1, 2, 32, 64] : " W4
                          " -> !pl.tensor<[1, 2, 32, 64] x i8, nz>",
                          "[7, 0, 0, 0, 0] [2, 2, 2, 16, 32]",
                          {}},
                      Use{"[4, 3, 32, 64] x i8, nz",
                          "%v = pl.tensor.slice %w [1, 0, 0, 0] sizes [2, 3, 32, 64] : " W4
                          " -> !pl.tensor<[2, 3, 32, 64] x i8, nz>",
                          "[3, 0, 0, 0, 0] [6, 2, 2, 16, 32]",
                          {}},
                      Use{"[4, 3, 32, 64] x i8, nz",
                          "%v = pl.tensor.slice %w [0, 0, 0, 0] sizes [%num, 3, 32, 64] : " W4
                          " -> !pl.tensor<[n, 3, 32, 64] x i8, nz>",
                          "[0, 0, 0, 0, 0] [num * 3, 2, 2, 16, 32]",
                          {"-> <[\"n * 3\", 2, 2, 16, 32] x i8, nz>"}},
                      Use{"[4, 3, 32, 64] x i8, nz",
                          "%v = pl.tensor.slice %w [0, 1, 0, 0] sizes [%num, 2, 32, 64] : " W4
                          " -> !pl.tensor<[n, 2, 32, 64] x i8, nz>",
                          "window",
                          {"shape[1]"}},
                      Use{"[512, 512] x i8, nz",
                          "%v = pl.tensor.slice %w [256, 0] sizes [256, 512] : !pl.tensor<[512, 512] x i8, nz> -> "
                          "!pl.tensor<[256, 512] x i8, nz>",
                          "window",
                          {"rows", "leading axes"}},
                      Use{"[512, 512] x i8, nz",
                          "%v = pl.tensor.slice %w [0, 256] sizes [512, 256] : !pl.tensor<[512, 512] x i8, nz> -> "
                          "!pl.tensor<[512, 256] x i8, nz>",
                          "window",
                          {"cols"}},
                      Use{"[512, 512] x i8, nz",
                          "%v = pl.tensor.slice %w [0, 0] sizes [512, 512] : !pl.tensor<[512, 512] x i8, nz> -> "
                          "!pl.tensor<[512, 512] x i8, nz>",
                          "[0, 0, 0, 0, 0] [1, 16, 32, 16, 32]",
                          {}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [%lane, 0, 0] sizes [1, 48, 64] : !pl.tensor<[4, 48, 64] x f16, nz> "
                          "-> !pl.tensor<[1, 48, 64] x f16, nz>",
                          "[lane, 0, 0, 0, 0] [1, 4, 3, 16, 16]",
                          {}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [2, 0, 0] sizes [1, 48, 64] drop [0] : !pl.tensor<[4, 48, 64] x "
                          "f16, nz> -> !pl.tensor<[48, 64] x f16, nz>",
                          "[2, 0, 0, 0, 0] [1, 4, 3, 16, 16]",
                          {"[2, 0, 0, 0, 0] sizes [1, 4, 3, 16, 16]", "-> <[1, 4, 3, 16, 16] x f16, nz>"}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [0, 5, 0] sizes [4, 1, 64] drop [1] : !pl.tensor<[4, 48, 64] x f16, "
                          "nz> -> !pl.tensor<[4, 64] x f16, nz>",
                          "window",
                          {"axis 1", "fractal plane"}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [0, 0, 0] sizes [2, 48, 64] valid [1, 48, 64] : !pl.tensor<[4, 48, "
                          "64] x f16, nz> -> !pl.tensor<[2, 48, 64] x f16, nz>",
                          "valid-shape",
                          {"axis 0"}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [0, 0, 0] sizes [2, 48, 64] valid [2, 32, 64] : !pl.tensor<[4, 48, "
                          "64] x f16, nz> -> !pl.tensor<[2, 48, 64] x f16, nz>",
                          "valid-shape",
                          {"axis 1"}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [1, 0, 0] sizes [2, 48, 64] valid [2, 48, 64] : !pl.tensor<[4, 48, "
                          "64] x f16, nz> -> !pl.tensor<[2, 48, 64] x f16, nz>",
                          "[1, 0, 0, 0, 0] [2, 4, 3, 16, 16]",
                          {}},
                      Use{"[4, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [-1, 0, 0] sizes [1, 48, 64] : !pl.tensor<[4, 48, 64] x f16, nz> -> "
                          "!pl.tensor<[1, 48, 64] x f16, nz>",
                          "offset-sign",
                          {"-1"}},
                      // A slice of a slice.
                      Use{"[8, 48, 64] x f16, nz",
                          "%v = pl.tensor.slice %w [2, 0, 0] sizes [4, 48, 64] : !pl.tensor<[8, 48, 64] x f16, nz> -> "
                          "!pl.tensor<[4, 48, 64] x f16, nz>\n"
                          "%u = pl.tensor.slice %v [3, 0, 0] sizes [1, 48, 64] : !pl.tensor<[4, 48, 64] x f16, nz> -> "
                          "!pl.tensor<[1, 48, 64] x f16, nz>",
                          "[3, 0, 0, 0, 0] [1, 4, 3, 16, 16]",
                          {}}));

class NzReshape : public ::testing::TestWithParam<Use> {};
TEST_P(NzReshape, WholeFlattenOnly) { check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Cases, NzReshape,
    ::testing::Values(
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[131072] x i8>",
            "[] [131072]",
            {"<[1, 16, 16, 16, 32] x i8, nz> -> <[131072] x i8>"}},
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[128, 1024] x i8, nz>",
            "reshape",
            {"whole-tensor flatten", "[256, 512]", "[128, 1024]", "131072"}},
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[1, 131072] x i8>",
            "reshape",
            {}},
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[131072, 1] x i8>",
            "reshape",
            {}},
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[256, 512] x i8, nz>",
            "reshape",
            {}},
        Use{"[256, 512] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[65536] x i8>",
            "reshape",
            {}},
        Use{"[B, 32, 64] x i8, nz",
            "%v = pl.tensor.reshape %w : !pl.tensor<[B, 32, 64] x i8, nz> -> !pl.tensor<[N] x i8>",
            "reshape",
            {}}));

class NzConsumer : public ::testing::TestWithParam<Use> {};
TEST_P(NzConsumer, IsRefused) { check(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Cases, NzConsumer,
    ::testing::Values(
        Use{"[64, 64] x f16, nz",
            "pl.op \"prefetch.async_prefetch\"(src %w) : (!pl.tensor<[64, 64] x f16, nz>) -> ()",
            "consumer",
            {"prefetch.async_prefetch", "`w`", "argument 1"}},
        Use{"[64, 64] x f16, nz",
            "pl.op \"tensor.gather_row\"(dst_offset %lane, src %w) : (index, !pl.tensor<[64, 64] x f16, nz>) -> ()",
            "consumer",
            {"gather_row", "argument 2"}},
        Use{"[64, 64] x f16, nz",
            "%v = pl.read %w [0, 0] : !pl.tensor<[64, 64] x f16, nz> -> f16",
            "consumer",
            {"tensor.read"}},
        Use{"[64, 64] x f16, nz",
            "%v = pl.tensor.matmul %w, %w : !pl.tensor<[64, 64] x f16, nz>, !pl.tensor<[64, 64] x f16, nz> -> "
            "!pl.tensor<[64, 64] x f32>",
            "consumer",
            {"tensor.matmul"}},
        Use{"[64, 64] x f16, nz",
            "%x = pl.tensor.create : !pl.tensor<[64, 64] x f16>\n%v = pl.tensor.assemble %w into %x [0, 0] : "
            "!pl.tensor<[64, 64] x f16, nz>, !pl.tensor<[64, 64] x f16> -> !pl.tensor<[64, 64] x f16>",
            "consumer",
            {"assemble"}}));

//===-- Stores ----------------------------------------------------------------------------------------------------===//

std::string store(const std::string &dest, const std::string &tile, const std::string &offsets,
                  const std::string &extra = "") {
  return "%acc = pl.tile.create {pl.result = \"acc\"} : !pl.tile<" + tile + ">\n%o = pl.tile.store %acc into %w " +
         offsets + extra + " : !pl.tile<" + tile + ">, !pl.tensor<" + dest + "> -> !pl.tensor<" + dest + ">";
}

struct Store {
  const char *dest;
  const char *tile;
  const char *offsets;
  const char *outcome;
  std::vector<std::string> words = {};
  const char *extra = "";
  const char *arch = "a3";
  const char *setup = "";
};

class NzStore : public ::testing::TestWithParam<Store> {};
TEST_P(NzStore, Rules) {
  const Store &s = GetParam();
  std::string body =
      std::string(
          "%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index\n%c16 = arith.constant 16 : index\n") +
      s.setup + store(s.dest, s.tile, s.offsets, s.extra);
  check({s.dest, body.c_str(), s.outcome, s.words, s.arch});
}

INSTANTIATE_TEST_SUITE_P(
    Accepted, NzStore,
    ::testing::Values(
        Store{"[64, 16] x f32, nz",
              "64x16xf32, acc",
              "[0, 0]",
              "[0, 0, 0, 0, 0] [1, 2, 4, 16, 8]",
              {"sizes [1, 2, 4, 16, 8]", "-> <[1, 2, 4, 16, 8] x f32, nz>"}},
        Store{"[48, 32] x f32, nz", "48x32xf32, acc", "[0, 0]", "[0, 0, 0, 0, 0] [1, 4, 3, 16, 8]"},
        Store{"[32, 64] x f32, nz", "32x16xf32, acc", "[0, 8]", "[0, 1, 0, 0, 0] [1, 2, 2, 16, 8]"},
        Store{"[32, 64] x f32, nz", "32x16xf32, acc", "[0, 24]", "[0, 3, 0, 0, 0] [1, 2, 2, 16, 8]"},
        Store{"[32, 96] x f32, nz",
              "32x32xf32, acc",
              "[0, %n]",
              "[0, floordiv(n, 8), 0, 0, 0] [1, 4, 2, 16, 8]",
              {},
              "",
              "a2",
              "%n = arith.muli %lane, %c8 : index loc(\"n\")\n"},
        Store{"[3, 32, 48] x f32, nz",
              "32x16xf32, acc",
              "[2, 0, 32]",
              "[2, 4, 0, 0, 0] [1, 2, 2, 16, 8]",
              {},
              " sizes [1, 32, 16]"},
        Store{"[2, 3, 16, 32] x f32, nz", "16x16xf32, acc", "[1, 2, 0, 16]", "[5, 2, 0, 0, 0] [1, 2, 1, 16, 8]"},
        Store{"[P, 16, 32] x f32, nz", "16x16xf32, acc", "[%lane, 0, 0]", "[lane, 0, 0, 0, 0] [1, 2, 1, 16, 8]"},
        Store{"[64, 16] x f32, nz",
              "64x16xf32, acc",
              "[0, 0]",
              "[0, 0, 0, 0, 0] [1, 2, 4, 16, 8]",
              {"{st_phase = \"Final\"}"},
              " {st_phase = \"Final\"}"},
        // Larger than the accumulator: later tiling may split it.
        Store{"[64, 8192] x f32, nz", "64x8192xf32, acc", "[0, 0]", "[0, 0, 0, 0, 0] [1, 1024, 4, 16, 8]"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, NzStore,
    ::testing::Values(
        Store{"[32, 64] x f32, nz", "32x16xf32, acc", "[0, 4]", "offset-align", {"shape[-1]", "8", "4"}},
        Store{"[32, 64] x f32, nz", "32x16xf32, acc", "[0, -8]", "offset-sign", {"-8"}},
        Store{"[32, 64] x f32, nz",
              "32x16xf32, acc",
              "[0, %n]",
              "offset-sign",
              {"shape[-1]", "non-negative"},
              "",
              "a3",
              "%m = arith.muli %lane, %c16 : index\n%n = arith.subi %m, %c16 : index loc(\"n\")\n"},
        Store{"[32, 64] x f32, nz",
              "32x16xf32, acc",
              "[0, %n]",
              "offset-sign",
              {"parameter `s`"},
              "",
              "a3",
              "%n = arith.muli %s, %c8 : index loc(\"n\")\n"},
        Store{"[32, 64] x f32, nz",
              "32x16xf32, acc",
              "[0, %n]",
              "offset-align",
              {"8"},
              "",
              "a3",
              "%n = arith.muli %lane, %c4 : index loc(\"n\")\n"},
        Store{"[2, 32, 16] x f32, nz",
              "64x16xf32, acc",
              "[0, 0, 0]",
              "batch-panel",
              {"one panel", "2"},
              " sizes [2, 32, 16]"},
        Store{"[128, 32] x f32, nz", "64x16xf32, acc", "[0, 0]", "row-window", {"64", "128", "row"}},
        Store{"[128, 32] x f32, nz", "64x32xf32, acc", "[64, 0]", "row-window", {"row offset 64"}},
        Store{"[128, 32] x f32, nz",
              "128x32xf32, acc",
              "[%n, 0]",
              "row-window",
              {"row offset `n`"},
              "",
              "a3",
              "%n = arith.muli %lane, %c16 : index loc(\"n\")\n"},
        Store{"[32, 24] x f32, nz", "32x24xf32, acc", "[0, 0]", "store-shape", {"16", "24"}},
        Store{"[64, 8] x f32, nz", "64x8xf32, acc", "[0, 0]", "store-shape", {"16", "8"}},
        Store{"[32, 32] x i32, nz", "32x32xi32, acc", "[0, 0]", "store-dtype", {"FP32", "INT32"}},
        Store{"[32, 32] x f16, nz", "32x32xf32, acc", "[0, 0]", "store-dtype", {"FP32", "FP16"}},
        Store{"[32, 32] x f32, nz", "32x32xf32, acc", "[0, 0]", "store-arch", {"A2/A3", "A5"}, "", "a5"},
        Store{"[32, 32] x f32, nz", "32x32xf32, vec", "[0, 0]", "store-shape", {"Acc", "Vec"}},
        Store{"[32, 32] x f32, nz", "32x32xf32, mat", "[0, 0]", "store-shape", {"Acc", "Mat"}},
        Store{"[48, 32] x f32, nz", "48x32xf32, acc, valid = [40, 32]", "[0, 0]", "store-shape", {"valid", "40"}},
        Store{"[48, 32] x f32, nz", "48x32xf32, acc, valid = [?, 32]", "[0, 0]", "store-shape", {"dynamic", "static"}},
        Store{"[32, 32] x f32, nz", "32x32xf32, acc", "[0, 0]", "atomic", {"atomic"}, " {atomic = \"add\"}"},
        Store{"[32, 32] x f32, nz", "32x32xf32, acc", "[0, 0]", "atomic", {"pre_quant"}, " {pre_quant}"},
        Store{"[32, 32] x f32, nz", "32x32xf32, acc", "[0, 0]", "atomic", {"pre_relu"}, " {pre_relu}"},
        Store{"[72, 32] x f32, nz", "64x32xf32, acc", "[0, 0]", "rows-align", {"16", "72"}}));

//===-- Through the module ----------------------------------------------------------------------------------------===//

TEST(NzModule, LoopCarriedTensorIsBlockedEverywhere) {
  Outcome out = run(
      {.type = "[32, 96] x f32, nz",
       .body = "%c0 = arith.constant 0 : index\n%c96 = arith.constant 96 : index\n%c32 = arith.constant 32 : index\n"
               "%r = scf.for %j = %c0 to %c96 step %c32 iter_args(%o = %w) -> !pl.tensor<[32, 96] x f32, nz> {\n%a = "
               "pl.tile.create : !pl.tile<32x32xf32, acc>\n"
               "%n = pl.tile.store %a into %o [0, %j] : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 96] x f32, nz> -> "
               "!pl.tensor<[32, 96] x f32, nz>\n"
               "scf.yield %n : !pl.tensor<[32, 96] x f32, nz>\n}"});
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_THAT(out.ir, Not(HasSubstr("tensor<[32, 96]")));
  EXPECT_TRUE(out.roundTrips);
}

TEST(NzModule, CallsReturnsAndDeclarationsFollow) {
  Outcome out = runModule(R"(
func.func private @kern(!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[16] x f32>) -> (!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[16] x f32>)
func.func @main(%w: !pl.tensor<[4, 48, 64] x f16, nz> {pl.name = "w"}, %o: !pl.tensor<[16] x f32>) -> !pl.tensor<[48, 64] x f16, nz> attributes {pl.kind = "orchestration"} {
  %v = pl.tensor.slice %w [1, 0, 0] sizes [1, 48, 64] drop [0] : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tensor<[48, 64] x f16, nz>
  %r:2 = call @kern(%v, %o) : (!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[16] x f32>) -> (!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[16] x f32>)
  return %r#0 : !pl.tensor<[48, 64] x f16, nz>
})");
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_THAT(
      out.ir,
      HasSubstr(
          "func.func private @kern(!pl.tensor<[1, 4, 3, 16, 16] x f16, nz>, !pl.tensor<[16] x f32>) -> (!pl.tensor<[1, "
          "4, 3, 16, 16] x f16, nz>, !pl.tensor<[16] x f32>) attributes {nz_tensor_views_blocked}"));
  EXPECT_THAT(out.ir, Not(HasSubstr("tensor<[48, 64]")));
  EXPECT_TRUE(out.roundTrips);
}

TEST(NzModule, RefusedWindowIsSilentInTheScopeItFeeds) {
  // The callee stands before its caller: order in the module decides nothing.
  Outcome out = runModule(R"(
func.func @scope(%v: !pl.tensor<[128, 64] x f16, nz>) attributes {pl.kind = "incore", pl.outlined = "main"} {
  %t = pl.tile.load %v [8, 0] sizes [24, 64] : !pl.tensor<[128, 64] x f16, nz> -> !pl.tile<24x64xf16, vec>
  return
}
func.func @main(%w: !pl.tensor<[256, 64] x f16, nz> {pl.name = "w"}) attributes {pl.kind = "orchestration"} {
  %v = pl.tensor.slice %w [128, 0] sizes [128, 64] : !pl.tensor<[256, 64] x f16, nz> -> !pl.tensor<[128, 64] x f16, nz>
  call @scope(%v) : (!pl.tensor<[128, 64] x f16, nz>) -> ()
  return
})");
  EXPECT_THAT(out.errors(), ElementsAre("nz-window"));
}

TEST(NzModule, IndependentFaultsAreAllReported) {
  Kernel kernel{.type = "[96, 64] x f16, nz",
                .body = "",
                .arguments =
                    "%b: !pl.tensor<[40, 64] x f16, nz> {pl.name = \"b\", pl.annotation = loc(\"k.py\":8:1 to :9)}"};
  kernel.body = load(kernel, "[8, 0]", {32, 64}) + load(kernel, "[0, 0]", {24, 64}) +
                load(kernel, "[0, 0]", {32, 64}, "", "vec") + load(kernel, "[0, 0]", {32, 64});
  EXPECT_THAT(run(kernel).errors(),
              ElementsAre("nz-rows-align", "nz-offset-align", "nz-rows-align", "nz-target-memory"));
}

TEST(NzModule, BadStoreDoesNotHideTheNext) {
  Outcome out = run({.type = "[32, 64] x f32, nz",
                     .body = "%a = pl.tile.create : !pl.tile<32x16xf32, acc>\n"
                             "%p = pl.tile.store %a into %w [0, 4] : !pl.tile<32x16xf32, acc>, !pl.tensor<[32, 64] x "
                             "f32, nz> -> !pl.tensor<[32, 64] x f32, nz>\n"
                             "%q = pl.tile.store %a into %p [16, 0] : !pl.tile<32x16xf32, acc>, !pl.tensor<[32, 64] x "
                             "f32, nz> -> !pl.tensor<[32, 64] x f32, nz>"});
  EXPECT_THAT(out.errors(), ElementsAre("nz-offset-align", "nz-row-window"));
}

TEST(NzModule, ExtentsStayLogical) {
  Outcome out = run(
      {.type = "[B, 48, 64] x f16, nz",
       .body =
           "%b = pl.dim %w, 0 : !pl.tensor<[B, 48, 64] x f16, nz>\n%r = pl.dim %w, 1 : "
           "!pl.tensor<[B, 48, 64] x f16, nz>\npl.op \"tensor.write\"(indices %b, indices %r) : (index, index) -> ()"});
  ASSERT_THAT(out.diagnostics, IsEmpty()) << out.text();
  EXPECT_THAT(out.ir, HasSubstr("arith.constant 48 : index"));
  EXPECT_THAT(out.ir, HasSubstr("pl.dim %arg0, 0 : <[B, 4, 3, 16, 16] x f16, nz>"));
}

} // namespace
