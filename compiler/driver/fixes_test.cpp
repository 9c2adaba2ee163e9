// SPDX-License-Identifier: Apache-2.0
// Every fix with edits is applied to the program it was offered for, and the program is checked again: what it mends
// must be gone, and nothing may come instead.
#include "compiler/driver/in_process.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace placid::compiler {
namespace {

constexpr const char *kHead = R"(import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
)";
constexpr const char *kTail = R"(
        acc = pl.matmul(act_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
)";

/// A kernel of one NZ load: `weight` is its annotation, `body` makes `w_l1` of [rows, 64].
std::string kernel(const std::string &weight, const std::string &body, int rows = 32, const std::string &more = "") {
  std::string out = "[16, " + std::to_string(rows) + "]";
  return std::string(kHead) + "        w: " + weight + ",\n" + more + "        out: pl.Out[pl.Tensor[" + out +
         ", pl.FP32]],\n    ) -> pl.Tensor[" + out +
         ", pl.FP32]:\n        act_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)\n" + body + kTail;
}

std::vector<diag::Diagnostic> check(const std::string &text) {
  return makeInProcessService()->check(std::make_shared<source::SourceText>("k.py", text), {}, {}).diagnostics;
}

std::string apply(std::string text, diag::Fix fix) {
  std::sort(fix.edits.begin(), fix.edits.end(),
            [](const diag::Edit &a, const diag::Edit &b) { return a.at.range > b.at.range; });
  for (const diag::Edit &edit : fix.edits) {
    text.replace(edit.at.range.begin, edit.at.range.end - edit.at.range.begin, edit.newText);
  }
  return text;
}

std::string shown(const std::vector<diag::Diagnostic> &diagnostics) {
  std::string out;
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    out += diag::codeName(diagnostic.code) + ": " + diagnostic.message + "\n";
    for (const diag::Fix &fix : diagnostic.fixes) {
      out += "  fix: " + fix.title + (fix.edits.empty() ? " (advice)" : "") + "\n";
    }
  }
  return out;
}

/// The text after the fix whose title begins so; fails when it is not offered, or when a fault remains.
std::string mended(const std::string &text, const std::string &code, const std::string &title) {
  std::vector<diag::Diagnostic> before = check(text);
  for (const diag::Diagnostic &diagnostic : before) {
    for (const diag::Fix &fix : diagnostic.fixes) {
      if (diag::codeName(diagnostic.code) == code && fix.title.starts_with(title) && !fix.edits.empty()) {
        std::string after = apply(text, fix);
        std::vector<diag::Diagnostic> left = check(after);
        EXPECT_TRUE(left.empty()) << shown(left) << after;
        return after;
      }
    }
  }
  ADD_FAILURE() << "no fix `" << title << "` in:\n" << shown(before);
  return {};
}

const std::string kWeight = "pl.Tensor[[96, 64], pl.FP16, pl.NZ]";
std::string load(const std::string &offset) {
  return "        w_l1 = pl.load(w, [" + offset + ", 0], [32, 64], target_memory=pl.Mem.Mat)";
}

TEST(Fixes, OffsetsMoveToTheNearestFractal) {
  mended(kernel(kWeight, load("24")), "PL3105", "use 16");
  EXPECT_NE(mended(kernel(kWeight, load("24")), "PL3105", "use 32").find("[32, 0]"), std::string::npos);
}

TEST(Fixes, OffsetsBecomeProvable) {
  std::string lane = "        lane = pl.tile.get_block_idx()\n";
  std::string rounded = mended(kernel(kWeight, lane + load("lane * 24")), "PL3105", "round it down");
  EXPECT_NE(rounded.find("(lane * 24) // 16 * 16"), std::string::npos) << rounded;
  std::string named = lane + "        r0 = lane * 24\n" + load("r0");
  EXPECT_NE(mended(kernel(kWeight, named), "PL3105", "round it down").find("r0 // 16 * 16"), std::string::npos);
  EXPECT_NE(mended(kernel(kWeight, named), "PL3105", "step by 32").find("lane * 32"), std::string::npos);
}

TEST(Fixes, SlicesKeepTheirWidth) {
  const std::string text = R"(import pypto.language as pl


@pl.jit
def kern(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:16, 0:32] = pl.matmul(act[0:16, 0:64], w[8:40, 0:64], b_trans=True, out_dtype=pl.FP32)
    return out
)";
  EXPECT_NE(mended(text, "PL3105", "use 0:32").find("w[0:32, 0:64]"), std::string::npos);
  EXPECT_NE(mended(text, "PL3105", "use 16:48").find("w[16:48, 0:64]"), std::string::npos);
}

TEST(Fixes, OffsetsThatMayBeNegativeBecomeBoth) {
  std::string first = "        first: pl.Scalar[pl.INDEX],\n";
  // The multiple alone would only bring the next fault to light.
  std::string offered = shown(check(kernel(kWeight, load("first"), 32, first)));
  EXPECT_EQ(offered.find("round it down to a multiple"), std::string::npos) << offered;
  std::string after = mended(kernel(kWeight, load("first"), 32, first), "PL3105", "round it down and never go below 0");
  EXPECT_NE(after.find("pl.max(first // 16 * 16, 0)"), std::string::npos) << after;
  after = mended(kernel(kWeight, load("pl.max(first, 0)"), 32, first), "PL3105", "round it down and never go below 0");
  EXPECT_NE(after.find("pl.max(first // 16 * 16, 0)"), std::string::npos) << after;
}

TEST(Fixes, OffsetsStayAboveZero) {
  std::string first = "        first: pl.Scalar[pl.INDEX],\n";
  std::string after = mended(kernel(kWeight, load("first * 16"), 32, first), "PL3106", "never go below 0");
  EXPECT_NE(after.find("pl.max(first * 16, 0)"), std::string::npos) << after;
}

TEST(Fixes, LoadsGoToMat) {
  mended(kernel(kWeight, "        w_l1 = pl.load(w, [0, 0], [32, 64])"), "PL3108", "add `target_memory");
  mended(
      kernel(kWeight, "        w_l1 = pl.load(\n            w,\n            [0, 0],\n            [32, 64],\n        )"),
      "PL3108", "add `target_memory");
  mended(kernel(kWeight, "        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Vec)"), "PL3108",
         "load to Mat");
}

TEST(Fixes, ShapesRoundToTheFractal) {
  std::string body = "        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)";
  EXPECT_NE(mended(kernel("pl.Tensor[[40, 64], pl.FP16, pl.NZ]", body), "PL3101", "declare 48 rows").find("[48, 64]"),
            std::string::npos);
  mended(kernel("pl.Tensor[[32, 72], pl.FP16, pl.NZ]", body), "PL3102", "declare 80 columns");
  mended(kernel(kWeight, "        w_l1 = pl.load(w, [0, 0], [40, 64], target_memory=pl.Mem.Mat)", 48), "PL3101",
         "take 48 rows");
}

TEST(Fixes, StridesAndValidShapesAreDropped) {
  std::string body = "        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)";
  std::string strided = "pl.Tensor[[32, 64], pl.FP16, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.NZ)]";
  EXPECT_NE(mended(kernel(strided, body), "PL3120", "drop the stride").find("pl.FP16, pl.TensorLayout.NZ]"),
            std::string::npos);
}

TEST(Fixes, RowTilesGrowUntilTheGapFits) {
  std::string tall = "pl.Tensor[[65552, 64], pl.FP16, pl.NZ]";
  std::string body = "        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)";
  mended(kernel(tall, body, 32), "PL3124", "load 32 rows at once");
}

TEST(Fixes, RowTilesDoNotGrowBeyondTheirMemory) {
  std::string tall = "pl.Tensor[[131088, 64], pl.FP16, pl.NZ]";
  std::string body = "        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)";
  std::vector<diag::Diagnostic> told = check(kernel(tall, body, 16));
  ASSERT_FALSE(told.empty());
  for (const diag::Diagnostic &diagnostic : told) {
    for (const diag::Fix &fix : diagnostic.fixes) {
      EXPECT_FALSE(fix.title.starts_with("load 65568 rows")) << fix.title;
    }
  }
}

TEST(Fixes, StackedAxesBecomeLeadingAxes) {
  std::string stacked = "pl.Tensor[[16 * 4112, 64], pl.FP16, pl.NZ]";
  std::string lane = "        lane = pl.tile.get_block_idx()\n";
  std::string direct = lane + "        w_l1 = pl.load(w, [lane * 4112 + 16, 0], [32, 64], target_memory=pl.Mem.Mat)";
  std::string after = mended(kernel(stacked, direct), "PL3124", "declare the stacked axis");
  EXPECT_NE(after.find("[[16, 4112, 64], pl.FP16, pl.NZ]"), std::string::npos) << after;
  EXPECT_NE(after.find("pl.reshape(pl.load(w, [lane, 16, 0], [1, 32, 64], target_memory=pl.Mem.Mat), [32, 64])"),
            std::string::npos)
      << after;
  std::string named =
      lane + "        r0 = 4112 * lane\n        w_l1 = pl.load(w, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)";
  EXPECT_NE(mended(kernel(stacked, named), "PL3124", "declare the stacked axis").find("[lane, 0, 0]"),
            std::string::npos);
}

TEST(Fixes, AStackedAxisStaysWhereUsesAreNotFollowed) {
  std::string stacked = "pl.Tensor[[16 * 4112, 64], pl.FP16, pl.NZ]";
  for (const char *offset : {"lane * 4096", "lane"}) {
    std::string body = "        lane = pl.tile.get_block_idx()\n        w_l1 = pl.load(w, [" + std::string(offset) +
                       ", 0], [32, 64], target_memory=pl.Mem.Mat)";
    for (const diag::Diagnostic &diagnostic : check(kernel(stacked, body))) {
      for (const diag::Fix &fix : diagnostic.fixes) {
        EXPECT_FALSE(fix.title.starts_with("declare the stacked axis")) << offset;
      }
    }
  }
}

TEST(Fixes, SimilarNamesAreTaken) {
  std::string text = kernel(kWeight, load("0"));
  auto misspelt = [&](const std::string &right, const std::string &wrong) {
    std::string out = text;
    return out.replace(out.find(right), right.size(), wrong);
  };
  EXPECT_EQ(mended(misspelt("matmul(act_l1", "matmul(act_l"), "PL2001", "change it to `act_l1`"), text);
  EXPECT_EQ(mended(misspelt("pl.matmul(", "pl.matmull("), "PL2002", "change it to `pl.matmul`"), text);
  EXPECT_EQ(mended(misspelt("target_memory=", "target_memori="), "PL2007", "change it to `target_memory`"), text);
}

/// A kernel of the second dialect around some lines.
std::string second(const std::string &lines, const std::string &parameters = "x: pl.Tensor[[64, 128], pl.DT_FP16]") {
  return "import pypto_pro.language as pl\n\n\n@pl.jit\ndef kern(" + parameters + "):\n" + lines;
}

TEST(Fixes, TensorsOfTheSecondDialectAreDeclared) {
  const std::string body = "    pass\n";
  mended(second(body, "x: pl.Tensor[[64, 64], pl.DT_FP16, pl.ZN]"), "PL6001", "declare `pl.ND`");
  mended(second(body, "x: pl.Tensor[[64, 64], pl.DT_FP16, 2]"), "PL6004", "declare `pl.NZ`");
  mended(second(body, "x: pl.Tensor[[64, 64], pl.FP16]"), "PL6007", "use `pl.DT_FP16`");
  std::string other = second(body, "x: pl.Tensor[[64, 64], pl.DT_FP16, pl.ZN]");
  for (size_t at = other.find("pl"); at != std::string::npos; at = other.find("pl", at + 2)) {
    bool name = other.compare(at, 3, "pl.") == 0 || other.compare(at, 3, "pl\n") == 0;
    other.replace(at, name ? 2 : 0, name ? "LL" : "");
  }
  EXPECT_NE(mended(other, "PL6001", "declare `LL.ND`").find("LL.ND]"), std::string::npos) << other;
}

TEST(Fixes, TilesOfTheSecondDialectAreDeclared) {
  auto type = [](const std::string &rest) { return second("    t = pl.TileType(shape=[64, 64], " + rest + ")\n"); };
  mended(type("dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right, layout=pl.NZ"), "PL6011", "declare `pl.ZN`");
  mended(type("dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, layout=pl.ZZ"), "PL6014", "declare `pl.NZ`");
  mended(type("dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc, fractal=512"), "PL6016", "use 1024");
  const std::string make = "    tt = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16)\n    t = pl.make_tile";
  mended(second(make + "(tt, 0x0)\n"), "PL6029", "pass it as `addr=`");
  mended(second(make + "(tt, addr=0x10)\n"), "PL6031", "use 0x20");
  mended(second(make + "_group(type=tt, addrs=0x0, mutex_ids=[0, 1], depth=3)\n"), "PL6041", "use depth=2");
}

TEST(Fixes, NamesOfTheSecondDialectAreSpelled) {
  const std::string group = "    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)\n"
                            "    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()\n";
  mended(second(group + "    pl.laod(t, x, [0, 0])\n"), "PL6109", "use `pl.load`");
  mended(second(group + "    pl.load(t, x, [0, 0], oder=[0, 1])\n"), "PL6110", "use `order`");
  mended(second("    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, layuot=pl.ND)\n"), "PL6110", "use `layout`");
}

TEST(Fixes, LayoutsOfTheSecondDialectGoWithTheirTransfers) {
  auto load = [](const std::string &type, const std::string &parameters, const std::string &rest) {
    return second("    tt = pl.TileType(" + type +
                      ")\n    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()\n    pl.load(t, x, " +
                      rest + ")\n",
                  parameters);
  };
  const std::string nz = "x: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ]";
  const std::string nd = "x: pl.Tensor[[64, 128], pl.DT_FP16]";
  mended(load("shape=[64, 32], dtype=pl.DT_FP16", nz, "[0, 0]"), "PL6063", "add `layout=pl.NZ`");
  mended(load("shape=[64, 32], dtype=pl.DT_FP16, layout=pl.NZ", nz, "[0, 24]"), "PL6068", "use 16");
  mended(load("shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN", nd, "[0, 0]"),
         "PL6059", "add `order=[1, 0]`");
  mended(load("shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left", nd, "[0, 0]"), "PL6046",
         "declare `pl.MemorySpace.Mat`");
}

TEST(Fixes, TransfersOfTheSecondDialectAreOrdered) {
  auto load = [](const std::string &type, const std::string &order) {
    return second("    tt = pl.TileType(" + type +
                      ")\n    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()\n"
                      "    pl.load(t, x, [0, 0, 0], order=" +
                      order + ")\n",
                  "x: pl.Tensor[[64, 2, 2], pl.DT_FP8E8M0]");
  };
  mended(load("shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ", "[1, 2]"), "PL6097",
         "use [0, 1]");
  mended(second("    for i in range(4):\n        pass\n"), "PL6100", "use `pl.range`");
}

TEST(Fixes, AnInputThatIsWrittenIsDeclaredAnOutput) {
  std::string text = R"(import pypto.language as pl


@pl.program
class Copy:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[64, 64], pl.FP16], y: pl.Tensor[[64, 64], pl.FP16]):
        tile = pl.load(x, [0, 0], [64, 64])
        y = pl.store(tile, [0, 0], y)
        return y
)";
  EXPECT_NE(mended(text, "PL2094", "declare it `pl.Out[").find("y: pl.Out[pl.Tensor[[64, 64], pl.FP16]])"),
            std::string::npos);
  EXPECT_NE(mended(text, "PL2094", "declare it `pl.InOut[").find("y: pl.InOut[pl.Tensor[[64, 64], pl.FP16]])"),
            std::string::npos);
}

} // namespace
} // namespace placid::compiler
