// SPDX-License-Identifier: Apache-2.0
// Kernels of both cores that order themselves by flags: what they compute, and that a missing flag is a fault.
#include "compiler/interpreter/interpret.h"
#include "compiler/interpreter/parser.h"

#include <gtest/gtest.h>

#include <cstring>

namespace placid::interp {
namespace {

const std::string kAcc = "!pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, "
                         "slayout=row_major, fractal=1024, pad=0>";
const std::string kHalf = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, "
                          "slayout=none_box, fractal=512, pad=0>";
const std::string kBoxed = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, "
                           "slayout=row_major, fractal=512, pad=0>";
const std::string kFlat = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, "
                          "slayout=none_box, fractal=512, pad=0>";
const std::string kMat = "!pto.tile_buf<loc=mat, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, "
                         "slayout=row_major, fractal=512, pad=0>";
const std::string kLeft = "!pto.tile_buf<loc=left, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, "
                          "slayout=row_major, fractal=512, pad=0>";
const std::string kRight = "!pto.tile_buf<loc=right, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, "
                           "blayout=row_major, slayout=col_major, fractal=512, pad=0>";

const std::string kNumbers = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                             "%c8 = arith.constant 8 : index\n%c16 = arith.constant 16 : index\n"
                             "%a0 = arith.constant 0 : i64\n%a4096 = arith.constant 4096 : i64\n";

std::string function(const std::string &core, const std::string &more, const std::string &body) {
  return "func.func @k_" + std::string(core == "cube" ? "aic" : "aiv") + "(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>" +
         more + ") attributes {pto.kernel_kind = #pto.kernel_kind<" + core + ">} {\n" + kNumbers + body + "return\n}\n";
}

/// The vector core puts x into L1, the cube core multiplies it with itself, and each lane stores its half of that.
/// `flags` are the four lines between: set and wait for L1, set and wait for UB.
std::string kernel(const std::string (&flags)[4]) {
  std::string window = "%x = pto.make_tensor_view %arg0, shape = [%c16, %c16], strides = [%c16, %c1] : "
                       "!pto.tensor_view<?x?xf32>\n";
  std::string vector =
      window +
      "%xp = pto.partition_view %x, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<16x16xf32>\n"
      "%y = pto.make_tensor_view %arg1, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>\n"
      "%l = arith.index_cast %arg2 : i32 to index\n%at = arith.muli %l, %c8 : index\n"
      "%yp = pto.partition_view %y, offsets = [%at, %c0], sizes = [%c8, %c16] : !pto.tensor_view<?x?xf32> -> "
      "!pto.partition_tensor_view<8x16xf32>\n"
      "%t = pto.alloc_tile addr = %a4096 : " +
      kFlat + "\n%n = pto.alloc_tile addr = %a4096 : " + kBoxed + "\n%m = pto.alloc_tile addr = %a0 : " + kMat +
      "\n%u = pto.alloc_tile addr = %a0 : " + kHalf +
      "\npto.tload ins(%xp : !pto.partition_tensor_view<16x16xf32>) outs(%t : " + kFlat +
      ")\npto.tmov ins(%t : " + kFlat + ") outs(%n : " + kBoxed + ")\npto.tinsert ins(%n, %c0, %c0 : " + kBoxed +
      ", index, index) outs(%m : " + kMat + ")\n" + flags[0] + flags[3] + "pto.tstore ins(%u : " + kHalf +
      ") outs(%yp : !pto.partition_tensor_view<8x16xf32>)\n";
  std::string cube = "%m = pto.alloc_tile addr = %a0 : " + kMat + "\n%a = pto.alloc_tile addr = %a0 : " + kLeft +
                     "\n%b = pto.alloc_tile addr = %a0 : " + kRight + "\n%c = pto.alloc_tile addr = %a0 : " + kAcc +
                     "\n%u = pto.alloc_tile addr = %a0 : " + kHalf + "\n" + flags[1] + "pto.tmov ins(%m : " + kMat +
                     ") outs(%a : " + kLeft + ")\npto.tmov ins(%m : " + kMat + ") outs(%b : " + kRight +
                     ")\npto.tmatmul ins(%a, %b : " + kLeft + ", " + kRight + ") outs(%c : " + kAcc +
                     ")\npto.tmov ins(%c : " + kAcc + ") outs(%u : " + kHalf +
                     ") {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}\n" + flags[2];
  return "module attributes {pto.target_arch = \"a5\"} {\n" + function("cube", "", cube) +
         function("vector", ", %arg2: i32", vector) + "}\n";
}

constexpr int kSide = 16;

std::string run(const std::string &text, std::vector<float> &y) {
  auto parsed = parseProgram(text);
  if (const auto *fault = std::get_if<Fault>(&parsed)) {
    return "parse: " + fault->message;
  }
  Memory x("x", kSide * kSide * 4);
  Memory out("y", kSide * kSide * 4);
  for (int i = 0; i < kSide * kSide; ++i) {
    EXPECT_EQ(x.write(i * 4, DType::F32, Number::ofFloat(i % 7)), "");
  }
  std::vector<ArgumentValue> arguments{{&x, {}}, {&out, {}}};
  if (std::optional<Fault> fault = runProgram(std::get<Program>(parsed), {}, arguments, {})) {
    return fault->message;
  }
  y.resize(kSide * kSide);
  std::memcpy(y.data(), out.bytes().data(), y.size() * 4);
  return {};
}

const std::string kGood[4] = {"pto.set_intra_block <PIPE_MTE3>, 2\n",
                              "pto.wait_intra_block <PIPE_MTE1>, 2\npto.wait_intra_block <PIPE_MTE1>, 18\n",
                              "pto.set_intra_block <PIPE_FIX>, 1\npto.set_intra_block <PIPE_FIX>, 17\n",
                              "pto.wait_intra_block <PIPE_V>, 1\n"};

TEST(CoreOperations, CoresHandOnThroughOneAnothersMemories) {
  std::vector<float> y;
  ASSERT_EQ(run(kernel(kGood), y), "");
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) {
        sum += static_cast<float>((i * kSide + k) % 7 * ((k * kSide + j) % 7));
      }
      EXPECT_EQ(y[i * kSide + j], sum) << i << ", " << j;
    }
  }
}

TEST(CoreOperations, AWaitThatIsMissingIsAFault) {
  for (int missing : {1, 3}) {
    std::string flags[4] = {kGood[0], kGood[1], kGood[2], kGood[3]};
    flags[missing].clear();
    std::vector<float> y;
    EXPECT_NE(run(kernel(flags), y), "") << missing;
  }
}

TEST(CoreOperations, AFlagThatIsRaisedTooEarlyIsAFault) {
  // Who waits goes on at once: what the other core does behind its flag comes too late.
  std::string flags[4] = {kGood[0], kGood[2] + kGood[1], "", kGood[3]};
  std::vector<float> y;
  EXPECT_NE(run(kernel(flags), y), "");
}

TEST(CoreOperations, AFlagThatNobodyRaisesIsAFault) {
  for (int missing : {0, 2}) {
    std::string flags[4] = {kGood[0], kGood[1], kGood[2], kGood[3]};
    flags[missing].clear();
    std::vector<float> y;
    EXPECT_NE(run(kernel(flags), y).find("waits for nothing"), std::string::npos) << missing;
  }
}

TEST(CoreOperations, TheCubeCoreWaitsForBothLanes) {
  // Flag 18 is that of the second lane: one flag twice is the first lane's alone.
  std::string flags[4] = {kGood[0], "pto.wait_intra_block <PIPE_MTE1>, 2\npto.wait_intra_block <PIPE_MTE1>, 2\n",
                          kGood[2], kGood[3]};
  std::vector<float> y;
  EXPECT_NE(run(kernel(flags), y).find("waits for nothing"), std::string::npos);
}

TEST(CoreOperations, ALaneHasSixteenFlags) {
  std::string flags[4] = {"pto.set_intra_block <PIPE_MTE3>, 16\n", kGood[1], kGood[2], kGood[3]};
  std::vector<float> y;
  EXPECT_NE(run(kernel(flags), y).find("has no flag 16"), std::string::npos);
}

} // namespace
} // namespace placid::interp
