// SPDX-License-Identifier: Apache-2.0
// The interpreter on small texts: what it computes, and that every kind of wrong text is a fault and not a number.
#include "compiler/interpreter/interpret.h"
#include "compiler/interpreter/parser.h"

#include <gtest/gtest.h>

#include <cstring>

namespace placid::interp {
namespace {

/// A function of two f32 buffers of 64 elements around `body`.
std::string kernel(const std::string &body, const std::string &more = "") {
  return "module attributes {pto.target_arch = \"a3\"} {\n"
         "func.func @k(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>" +
         more +
         ") {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c4 = arith.constant 4 : index\n"
         "%c8 = arith.constant 8 : index\n%c16 = arith.constant 16 : index\n%a0 = arith.constant 0 : i64\n"
         "%a32 = arith.constant 32 : i64\n" +
         body + "return\n}\n}\n";
}

const std::string kVec = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, "
                         "slayout=none_box, fractal=512, pad=0>";
const std::string kViews =
    "%x = pto.make_tensor_view %arg0, shape = [%c8, %c8], strides = [%c8, %c1] {layout = #pto.layout<nd>} : "
    "!pto.tensor_view<?x?xf32>\n"
    "%y = pto.make_tensor_view %arg1,\n  shape = [%c8, %c8],\n  strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>\n"
    "%xp = pto.partition_view %x, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x?xf32> -> "
    "!pto.partition_tensor_view<8x8xf32>\n"
    "%yp = pto.partition_view %y, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<?x?xf32> -> "
    "!pto.partition_tensor_view<8x8xf32>\n"
    "%t = pto.alloc_tile addr = %a0 : " +
    kVec + "\n";
const std::string kLoad = "pto.tload ins(%xp : !pto.partition_tensor_view<8x8xf32>) outs(%t : " + kVec + ")\n";
const std::string kStore = "pto.tstore ins(%t : " + kVec + ") outs(%yp : !pto.partition_tensor_view<8x8xf32>)\n";

struct Outcome {
  std::string fault;
  int line = 0;
  std::vector<float> y;
};

Outcome run(const std::string &text, int64_t blocks = 1, std::optional<int64_t> scalar = std::nullopt) {
  Outcome out;
  auto parsed = parseProgram(text);
  if (const auto *fault = std::get_if<Fault>(&parsed)) {
    return {"parse: " + fault->message, fault->line, {}};
  }
  Memory x("x", 64 * 4);
  Memory y("y", 64 * 4);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(x.write(i * 4, DType::F32, Number::ofFloat(i)), "");
  }
  std::vector<ArgumentValue> arguments{{&x, {}}, {&y, {}}};
  if (scalar) {
    arguments.push_back({nullptr, Number::ofInt(*scalar)});
  }
  RunOptions options;
  options.blocks = blocks;
  options.maxStatements = 100000;
  if (std::optional<Fault> fault = runProgram(std::get<Program>(parsed), options, arguments, {})) {
    return {fault->message, fault->line, {}};
  }
  out.y.resize(64);
  std::memcpy(out.y.data(), y.bytes().data(), 64 * 4);
  return out;
}

bool mentions(const Outcome &outcome, const std::string &what) { return outcome.fault.find(what) != std::string::npos; }

TEST(Interpreter, CopiesThroughATile) {
  Outcome outcome = run(kernel(kViews + kLoad + kStore));
  ASSERT_EQ(outcome.fault, "");
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(outcome.y[i], static_cast<float>(i));
  }
}

TEST(Interpreter, ViewsShowTheBytesOfATileWithoutAnAddress) {
  const std::string flat = "!pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, v_row=1, v_col=64, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string part = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=?, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  // Everything through one view, then two of the eight rows through another, whose extent is a number of the run.
  auto body = [&](const std::string &rows) {
    std::string views = kViews;
    views.replace(views.find(" addr = %a0"), 11, "");
    return views + kLoad + "%flat = pto.treshape %t : " + kVec + " -> " + flat +
           "\n%seven = arith.constant 7.0 : f32\npto.texpands ins(%seven : f32) outs(%flat : " + flat +
           ")\n%part = pto.subview %t[%c0, %c0] sizes [8, 8] valid [" + rows + ", %c8] : " + kVec + " -> " + part +
           "\n%two = arith.constant 2.0 : f32\npto.texpands ins(%two : f32) outs(%part : " + part + ")\n" + kStore;
  };
  Outcome outcome = run(kernel(body("%arg2"), ", %arg2: index"), 1, 2);
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[15], 2.0F);
  EXPECT_EQ(outcome.y[16], 7.0F);
  EXPECT_EQ(outcome.y[63], 7.0F);
  EXPECT_TRUE(mentions(run(kernel(body("%arg2"), ", %arg2: index"), 1, 9), "takes 9 x 8 from 0, 0"));
}

TEST(Interpreter, OverlappingTilesShow) {
  // A second tile 32 bytes further on overwrites rows 1 to 7 of the first.
  std::string body = kViews + kLoad + "%u = pto.alloc_tile addr = %a32 : " + kVec +
                     "\n%seven = arith.constant 7.0 : f32\n" + "pto.texpands ins(%seven : f32) outs(%u : " + kVec +
                     ")\n" + kStore;
  Outcome outcome = run(kernel(body));
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[7], 7.0F);
  EXPECT_EQ(outcome.y[3], 3.0F);
  EXPECT_EQ(outcome.y[20], 7.0F);
}

TEST(Interpreter, LoopsCarryValuesAndBlocksHaveNumbers) {
  std::string body = kViews + kLoad +
                     "%sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> (index) {\n"
                     "%n = arith.addi %s, %i : index\nscf.yield %n : index\n}\n" // 6
                     "%lane = arith.index_cast %arg2 : i32 to index\n%all = arith.addi %sum, %lane : index\n"
                     "%v = arith.index_cast %all : index to i32\n%f = arith.sitofp %v : i32 to f32\n"
                     "pto.tadds ins(%t, %f : " +
                     kVec + ", f32) outs(%t : " + kVec + ")\n" + kStore;
  Outcome outcome = run(kernel(body, ", %arg2: i32, %arg3: i32"), 3);
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[5], 5.0F + 6.0F + 2.0F); // the last block writes last
}

TEST(Interpreter, FloorDivisionAndRemainderOfNegativeNumbers) {
  std::string body =
      kViews + kLoad +
      "%m = arith.constant -7 : index\n%q = arith.floordivsi %m, %c4 : index\n%r = arith.remsi %m, %c4 : index\n"
      "%two = arith.muli %q, %c8 : index\n%d = arith.subi %two, %r : index\n" // -2*8 - -3 = -13
      "%v = arith.index_cast %d : index to i32\n%f = arith.sitofp %v : i32 to f32\n"
      "pto.texpands ins(%f : f32) outs(%t : " +
      kVec + ")\n" + kStore;
  Outcome outcome = run(kernel(body));
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[0], -13.0F);
}

TEST(Interpreter, BranchesAndWhile) {
  std::string body = kViews + kLoad +
                     "%big = arith.cmpi sgt, %c16, %c8 : index\n"
                     "%p = scf.if %big -> (index) {\nscf.yield %c4 : index\n} else {\nscf.yield %c1 : index\n}\n"
                     "%w = scf.while (%i = %c0) : (index) -> index {\n%go = arith.cmpi slt, %i, %c8 : index\n"
                     "scf.condition(%go) %i : index\n} do {\n^bb0(%j: index):\n%n = arith.addi %j, %p : index\n"
                     "scf.yield %n : index\n}\n"
                     "%v = arith.index_cast %w : index to i32\n%f = arith.sitofp %v : i32 to f32\n"
                     "pto.texpands ins(%f : f32) outs(%t : " +
                     kVec + ")\n" + kStore;
  Outcome outcome = run(kernel(body));
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[63], 8.0F);
}

TEST(Interpreter, UnknownOperationHasItsLine) {
  Outcome outcome = run(kernel("pto.tfrobnicate ins(%c0 : index) outs(%c1 : index)\n"));
  EXPECT_TRUE(mentions(outcome, "`pto.tfrobnicate` is not an operation"));
  EXPECT_EQ(outcome.line, 10);
}

TEST(Interpreter, ReadingWhatNobodyWroteIsAFault) {
  EXPECT_TRUE(mentions(run(kernel(kViews + kStore)), "which nothing has written"));
}

TEST(Interpreter, WindowsStayInside) {
  auto window = [](const std::string &offset) {
    return kViews + "%bad = pto.partition_view %x, offsets = [" + offset +
           ", %c0], sizes = [%c4, %c8] : "
           "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>\n";
  };
  EXPECT_EQ(run(kernel(window("%c4"))).fault, "");
  EXPECT_TRUE(mentions(run(kernel(window("%c8"))), "on axis 0 takes 4 from 8 of 8"));
  // A view that says more than the buffer has.
  std::string wide = kViews +
                     "%w = pto.make_tensor_view %arg0, shape = [%c16, %c8], strides = [%c8, %c1] : "
                     "!pto.tensor_view<?x?xf32>\n"
                     "%wp = pto.partition_view %w, offsets = [%c8, %c0], sizes = [%c8, %c8] : "
                     "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x8xf32>\n"
                     "pto.tload ins(%wp : !pto.partition_tensor_view<8x8xf32>) outs(%t : " +
                     kVec + ")\n";
  EXPECT_TRUE(mentions(run(kernel(wide)), "which has 256 bytes"));
}

TEST(Interpreter, ExtentsOfWindowAndTileAgree) {
  std::string body = kViews +
                     "%half = pto.partition_view %x, offsets = [%c0, %c0], sizes = [%c4, %c8] : "
                     "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>\n"
                     "pto.tload ins(%half : !pto.partition_tensor_view<4x8xf32>) outs(%t : " +
                     kVec + ")\n";
  EXPECT_TRUE(mentions(run(kernel(body)), "moves a window of 4 x 8 and a tile of 8 x 8"));
}

TEST(Interpreter, EmptyWindowsAreNotMoved) {
  const std::string none = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=?, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  auto moved = [&](const std::string &rows) {
    return kViews + "%n = pto.alloc_tile addr = %a0 valid_row = " + rows + " : " + none +
           "\n%part = pto.partition_view %x, offsets = [%c0, %c0], sizes = [" + rows +
           ", %c8] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x8xf32>\n"
           "pto.tload ins(%part : !pto.partition_tensor_view<?x8xf32>) outs(%n : " +
           none + ")\n";
  };
  EXPECT_EQ(run(kernel(moved("%c4"))).fault, "");
  EXPECT_TRUE(mentions(run(kernel(moved("%c0"))), "moves a window of 0 x 8, and the chip moves one element at least"));
}

TEST(Interpreter, AddressesAreAlignedAndInside) {
  auto at = [](const std::string &address) {
    return kernel("%a = arith.constant " + address + " : i64\n%u = pto.alloc_tile addr = %a : " + kVec + "\n");
  };
  EXPECT_EQ(run(at("64")).fault, "");
  EXPECT_TRUE(mentions(run(at("48")), "not at a multiple of 32"));
  EXPECT_TRUE(mentions(run(at("196608")), "puts 256 bytes at 196608 of Vec"));
}

TEST(Interpreter, FractalViewsAreChecked) {
  auto nz = [](const std::string &shape, const std::string &strides) {
    return kernel("%c2 = arith.constant 2 : index\n%c128 = arith.constant 128 : index\n"
                  "%w = pto.make_tensor_view %arg0, shape = [" +
                  shape + "], strides = [" + strides +
                  "] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf32>\n");
  };
  EXPECT_EQ(run(nz("%c1, %c1, %c1, %c16, %c8", "%c128, %c128, %c128, %c8, %c1")).fault, "");
  EXPECT_TRUE(mentions(run(nz("%c1, %c1, %c16, %c8", "%c128, %c128, %c8, %c1")), "needs rank 5"));
  EXPECT_TRUE(mentions(run(nz("%c1, %c1, %c1, %c8, %c16", "%c128, %c128, %c128, %c8, %c1")), "fractals of 16 x 8"));
}

/// A window that moves from Mat, at `row` and `col`.
std::string moved(const std::string &dtype, const std::string &space, const std::string &row, const std::string &col,
                  int rows = 64) {
  const std::string mat = "!pto.tile_buf<loc=mat, dtype=" + dtype + ", rows=" + std::to_string(rows) +
                          ", cols=64, v_row=" + std::to_string(rows) +
                          ", v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>";
  const std::string to =
      "!pto.tile_buf<loc=" + space + ", dtype=" + dtype +
      ", rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=" + (space == "right" ? "col" : "row") +
      "_major, fractal=512, pad=0>";
  return kernel("%m = pto.alloc_tile addr = %a0 : " + mat + "\n%l = pto.alloc_tile addr = %a0 : " + to +
                "\npto.textract ins(%m, %" + row + ", %" + col + " : " + mat + ", index, index) outs(%l : " + to +
                ")\n");
}

TEST(Interpreter, WindowsThatTurnOnTheWayBeginAtSquares) {
  EXPECT_TRUE(mentions(run(moved("i8", "right", "c16", "c0")), "cuts a fractal of 32 x 32 at 16, 0"));
  EXPECT_TRUE(mentions(run(moved("f32", "right", "c0", "c8")), "cuts a fractal of 16 x 16 at 0, 8"));
  EXPECT_TRUE(mentions(run(moved("i8", "right", "c0", "c0", 48)),
                       "transposes a tile of 48 x 64, which is not made of whole blocks of 32 x 32"));
  // Ways that keep the order begin at any fractal: these read what nobody wrote.
  EXPECT_TRUE(mentions(run(moved("i8", "left", "c16", "c0")), "which nothing has written"));
  EXPECT_TRUE(mentions(run(moved("f32", "left", "c0", "c8")), "which nothing has written"));
}

/// An MX product of zeros with scales of ones, whose right scales lie at `at`.
std::string scaledProduct(const std::string &at) {
  auto tile = [](const std::string &loc, const std::string &dtype, int rows, int cols, const std::string &block,
                 const std::string &box, int fractal) {
    std::string r = std::to_string(rows);
    std::string c = std::to_string(cols);
    return "!pto.tile_buf<loc=" + loc + ", dtype=" + dtype + ", rows=" + r + ", cols=" + c + ", v_row=" + r +
           ", v_col=" + c + ", blayout=" + block + "_major, slayout=" + box +
           "_major, fractal=" + std::to_string(fractal) + ", pad=0>";
  };
  const std::string data = tile("mat", "f8E4M3FN", 64, 64, "col", "row", 512);
  const std::string left = tile("left", "f8E4M3FN", 64, 64, "col", "row", 512);
  const std::string right = tile("right", "f8E4M3FN", 64, 64, "row", "col", 512);
  const std::string lines = tile("mat", "i16", 16, 64, "col", "row", 512);
  const std::string sa = tile("mat", "!pto.f8E8M0", 64, 2, "row", "row", 32);
  const std::string sb = tile("mat", "!pto.f8E8M0", 2, 64, "col", "col", 32);
  const std::string la = tile("scaling", "!pto.f8E8M0", 64, 2, "row", "row", 32);
  const std::string lb = tile("scaling", "!pto.f8E8M0", 2, 64, "col", "col", 32);
  const std::string acc = tile("acc", "f32", 64, 64, "col", "row", 1024);
  auto window = [](const std::string &name, const std::string &pointer, const std::string &dtype,
                   const std::string &rows, const std::string &size) {
    return "%" + name + "v = pto.make_tensor_view %" + pointer + ", shape = [" + rows +
           ", %c64], strides = [%c64, %c1] : " + "!pto.tensor_view<?x?x" + dtype + ">\n%" + name +
           " = pto.partition_view %" + name + "v, offsets = [%c0, %c0], sizes = [" + rows +
           ", %c64] : !pto.tensor_view<?x?x" + dtype + "> -> !pto.partition_tensor_view<" + size + "x64x" + dtype +
           ">\n";
  };
  std::string text = kernel(
      "%c64 = arith.constant 64 : index\n%at = arith.constant " + at + " : i64\n%a4096 = arith.constant 4096 : i64\n" +
          "%a64k = arith.constant 65536 : i64\n" + window("w", "arg2", "f8E4M3FN", "%c64", "64") +
          window("s", "arg3", "i16", "%c16", "16") + "%d = pto.alloc_tile addr = %a0 : " + data +
          "\npto.tload ins(%w : !pto.partition_tensor_view<64x64xf8E4M3FN>) outs(%d : " + data +
          ")\n%n = pto.alloc_tile addr = %a64k : " + lines +
          "\npto.tload ins(%s : !pto.partition_tensor_view<16x64xi16>) outs(%n : " + lines +
          ")\n%sa = pto.alloc_tile addr = %a64k : " + sa + "\n%sb = pto.alloc_tile addr = %a64k : " + sb +
          "\n%l = pto.alloc_tile addr = %a0 : " + left + "\n%r = pto.alloc_tile addr = %a4096 : " + right +
          "\n%la = pto.alloc_tile addr = %a0 : " + la + "\n%lb = pto.alloc_tile addr = %at : " + lb +
          "\n%c = pto.alloc_tile addr = %a0 : " + acc + "\npto.tmov ins(%d : " + data + ") outs(%l : " + left +
          ")\npto.tmov ins(%d : " + data + ") outs(%r : " + right + ")\npto.tmov ins(%sa : " + sa +
          ") outs(%la : " + la + ")\npto.tmov ins(%sb : " + sb + ") outs(%lb : " + lb +
          ")\npto.tmatmul.mx ins(%l, %la, %r, %lb : " + left + ", " + la + ", " + right + ", " + lb +
          ") outs(%c : " + acc + ")\n",
      ", %arg2: !pto.ptr<f8E4M3FN>, %arg3: !pto.ptr<i16>");
  text.replace(text.find("a3"), 2, "a5");
  return text;
}

/// What goes wrong in it.
std::string faultOfScaled(const std::string &at) {
  auto parsed = parseProgram(scaledProduct(at));
  if (const auto *fault = std::get_if<Fault>(&parsed)) {
    return "parse: " + fault->message;
  }
  Memory x("x", 256);
  Memory y("y", 256);
  Memory data("data", 4096);
  Memory scales("scales", 2048);
  data.markWritten();
  scales.markWritten();
  std::vector<ArgumentValue> arguments{{&x, {}}, {&y, {}}, {&data, {}}, {&scales, {}}};
  std::optional<Fault> fault = runProgram(std::get<Program>(parsed), {}, arguments, {});
  return fault ? fault->message : "";
}

TEST(Interpreter, ScalesLieAtASixteenthOfTheirOperand) {
  EXPECT_EQ(faultOfScaled("256"), "");
  EXPECT_NE(faultOfScaled("0").find("has its scales at 0 and 0, they are read at 0 and 256"), std::string::npos)
      << faultOfScaled("0");
}

TEST(Interpreter, EndlessLoopsEnd) {
  std::string body = "%yes = arith.constant true\nscf.while : () -> () {\nscf.condition(%yes)\n} do {\nscf.yield\n}\n";
  EXPECT_TRUE(mentions(run(kernel(body)), "more operations than are allowed"));
}

/// A cube and a vector function that hand tiles of 8 x 8 to each other; `slots` is what the pipe holds.
std::string pair(const std::string &cube, const std::string &vector, int slots = 2) {
  const std::string constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                                "%c8 = arith.constant 8 : index\n%a0 = arith.constant 0 : i64\n"
                                "%a4096 = arith.constant 4096 : i64\n%z = arith.constant 0 : i32\n";
  const std::string open =
      "{dir_mask = 3, slot_size = 256, slot_num = " + std::to_string(slots) +
      "}\n (gm_slot_buffer = %arg0 : !pto.ptr<f32>, c2v_consumer_buf = %z : i32, v2c_consumer_buf = "
      "%z : i32)\n";
  return "module attributes {pto.target_arch = \"a3\"} {\n"
         "func.func @k_aic(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>) attributes {pto.kernel_kind = "
         "#pto.kernel_kind<cube>} {\n" +
         constants + "%i = pto.import_reserved_buffer {name = \"b\", peer_func = @k_aiv} -> i32\n" +
         "pto.aic_initialize_pipe " + open + cube + "return\n}\n" +
         "func.func @k_aiv(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>, %__pypto_spmd_subblock_idx: i32) attributes "
         "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n" +
         constants + "pto.aiv_initialize_pipe " + open + kViews + vector + "return\n}\n}\n";
}

const std::string kMat = "!pto.tile_buf<loc=mat, dtype=f32, rows=16, cols=8, v_row=8, v_col=8, blayout=col_major, "
                         "slayout=row_major, fractal=512, pad=0>";
const std::string kPush = "pto.tpush_to_aic(%t : " + kVec + ") {split = 0}\n";
const std::string kTake = "%p = pto.tpop_from_aic {split = 0} -> " + kVec + "\n";
const std::string kFree = "pto.tfree_from_aic {split = 0}\n";

TEST(InterpreterPipes, TilesArriveInOrderAndLanesKeepInStep) {
  const std::string flat = "!pto.tile_buf<loc=mat, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string cube = "%q = pto.tpop_from_aiv {split = 0} -> " + flat + "\npto.tpush_to_aiv(%q : " + flat +
                           ") {split = 0}\npto.tfree_from_aiv {split = 0}\n";
  const std::string back = "pto.tstore ins(%p : " + kVec + ") outs(%yp : !pto.partition_tensor_view<8x8xf32>)\n";
  Outcome out = run(pair(cube, kLoad + kPush + kTake + back + kFree));
  EXPECT_EQ(out.fault, "");
  ASSERT_EQ(out.y.size(), 64u);
  EXPECT_EQ(out.y[9], 9.0F);
}

TEST(InterpreterPipes, EachLaneHasItsHalf) {
  const std::string half = "!pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=8, v_row=4, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string flat = "!pto.tile_buf<loc=mat, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  // Both halves go to the cube core, come back, and each lane adds its number.
  const std::string cube = "%q = pto.tpop_from_aiv {split = 1} -> " + flat + "\npto.tpush_to_aiv(%q : " + flat +
                           ") {split = 1}\npto.tfree_from_aiv {split = 1}\n";
  const std::string lane = "%lane = arith.index_cast %__pypto_spmd_subblock_idx : i32 to index\n"
                           "%c4 = arith.constant 4 : index\n%at = arith.muli %lane, %c4 : index\n"
                           "%lf = arith.sitofp %__pypto_spmd_subblock_idx : i32 to f32\n"
                           "%h = pto.alloc_tile addr = %a0 : " +
                           half +
                           "\n"
                           "%xh = pto.partition_view %x, offsets = [%at, %c0], sizes = [%c4, %c8] : "
                           "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>\n"
                           "pto.tload ins(%xh : !pto.partition_tensor_view<4x8xf32>) outs(%h : " +
                           half +
                           ")\n"
                           "pto.tpush_to_aic(%h : " +
                           half +
                           ") {split = 1}\n"
                           "%p = pto.tpop_from_aic {split = 1} -> " +
                           half +
                           "\n"
                           "pto.tadds ins(%p, %lf : " +
                           half + ", f32) outs(%h : " + half +
                           ")\n"
                           "pto.tfree_from_aic {split = 1}\n"
                           "%yh = pto.partition_view %y, offsets = [%at, %c0], sizes = [%c4, %c8] : "
                           "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x8xf32>\n"
                           "pto.tstore ins(%h : " +
                           half + ") outs(%yh : !pto.partition_tensor_view<4x8xf32>)\n";
  Outcome out = run(pair(cube, lane));
  EXPECT_EQ(out.fault, "");
  ASSERT_EQ(out.y.size(), 64u);
  EXPECT_EQ(out.y[9], 9.0F);
  EXPECT_EQ(out.y[41], 42.0F);
}

TEST(InterpreterPipes, ATokenNeedsNoContents) {
  const std::string empty =
      "%e = pto.alloc_tile addr = %a4096 : " + kVec + "\npto.tpush_to_aic(%e : " + kVec + ") {split = 0}\n";
  const std::string flat = "!pto.tile_buf<loc=mat, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string take = "%q = pto.tpop_from_aiv {split = 0} -> " + flat + "\n";
  EXPECT_EQ(run(pair(take + "pto.tfree_from_aiv {split = 0}\n", empty)).fault, "");
  // Who reads it all the same is at fault, the cube core here for handing it on and a lane for storing it.
  const std::string on = "pto.tpush_to_aiv(%q : " + flat + ") {split = 0}\npto.tfree_from_aiv {split = 0}\n";
  const std::string back = "pto.tstore ins(%p : " + kVec + ") outs(%yp : !pto.partition_tensor_view<8x8xf32>)\n";
  EXPECT_NE(run(pair(take + on, empty + kTake + back + kFree)).fault, "");
  // A tile that lay in the same slot before does not help: after two rounds of the ring it is the third that is read.
  const std::string free = "pto.tfree_from_aiv {split = 0}\n";
  const std::string again = "%q2 = pto.tpop_from_aiv {split = 0} -> " + flat + "\n" + free;
  const std::string third =
      "%q3 = pto.tpop_from_aiv {split = 0} -> " + flat + "\npto.tpush_to_aiv(%q3 : " + flat + ") {split = 0}\n" + free;
  EXPECT_NE(run(pair(take + free + again + third, kLoad + kPush + kPush + empty + kTake + back + kFree)).fault, "");
  EXPECT_EQ(run(pair(take + free + again + third, kLoad + kPush + kPush + kPush + kTake + back + kFree)).fault, "");
}

TEST(InterpreterPipes, BothEndsCountWhatIsLive) {
  const std::string part = "!pto.tile_buf<loc=mat, dtype=f32, rows=8, cols=8, v_row=?, v_col=?, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string some = "!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=4, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string push =
      kLoad + "%s = pto.alloc_tile addr = %a0 : " + some + "\npto.tpush_to_aic(%s : " + some + ") {split = 0}\n";
  auto taken = [&](const std::string &rows, const std::string &columns) {
    return run(pair("%c4 = arith.constant 4 : index\n%q = pto.tpop_from_aiv(" + rows + ", " + columns +
                        ") {split = 0} -> " + part + "\npto.tfree_from_aiv {split = 0}\n",
                    push));
  };
  EXPECT_EQ(taken("%c4", "%c8").fault, "");
  EXPECT_TRUE(mentions(taken("%c1", "%c8"), "takes 1 rows of a tile of which 4 were pushed"));
  EXPECT_TRUE(mentions(taken("%c8", "%c8"), "takes 8 rows of a tile of which 4 were pushed"));
  EXPECT_TRUE(mentions(taken("%c4", "%c4"), "takes 4 columns of a tile of which 8 were pushed"));
  // A token is not counted.
  EXPECT_EQ(taken("%c0", "%c0").fault, "");
}

TEST(Interpreter, WhatNothingOrdersIsAFault) {
  // Each lane stores its own number to one place: who is last depends on the order.
  std::string body = kViews + kLoad + "%lane = arith.sitofp %arg2 : i32 to f32\npto.tadds ins(%t, %lane : " + kVec +
                     ", f32) outs(%t : " + kVec + ")\n" + kStore;
  EXPECT_TRUE(mentions(run(kernel(body, ", %arg2: i32"), 1), "what it leaves in y depends on which core goes first"));
  // The same number from both is no matter.
  Outcome outcome = run(kernel(kViews + kLoad + kStore, ", %arg2: i32"), 1);
  ASSERT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.y[5], 5.0F);
}

TEST(InterpreterPipes, APipeCarriesWholeTilesOrHalves) {
  const std::string take = "%q = pto.tpop_from_aiv {split = 0} -> " + kMat + "\n";
  EXPECT_TRUE(
      mentions(run(pair(take, kLoad + kPush + "pto.tfree_from_aic {split = 1}\n")), "mixes whole tiles and halves"));
}

TEST(InterpreterPipes, OnA5AWholeTileIsForTheFirstLane) {
  std::string text = pair("", kLoad + kPush);
  text.replace(text.find("a3"), 2, "a5");
  EXPECT_TRUE(mentions(run(text), "is for the first vector lane alone"));
}

TEST(InterpreterPipes, WaitingForEverIsAFault) {
  EXPECT_TRUE(mentions(run(pair("", kTake + kFree)), "`pto.tpop_from_aic` waits for nothing"));
  // The third push finds no room, and nobody makes any.
  const std::string pushes = kLoad + kPush + kPush + kPush;
  EXPECT_TRUE(mentions(run(pair("", pushes)), "`pto.tpush_to_aic` waits for nothing"));
  EXPECT_TRUE(mentions(run(pair("", pushes, 3)), "3 tiles for the cube core are still in the pipe"));
}

TEST(InterpreterPipes, WrongUseIsAFault) {
  EXPECT_TRUE(mentions(run(pair("", kFree)), "frees a tile that was not taken"));
  const std::string wide = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=8, v_row=16, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  EXPECT_TRUE(mentions(run(pair("", "%w = pto.alloc_tile addr = %a4096 : " + wide + "\npto.tpush_to_aic(%w : " + wide +
                                        ") {split = 0}\n")),
                       "pushes 512 bytes into a slot of 256"));
  EXPECT_TRUE(mentions(run(kernel(kViews + kLoad + kPush)), "needs another core, and there is none"));
  EXPECT_TRUE(mentions(run(pair("%q = pto.tpop_from_aiv {split = 0} -> " + kMat + "\n", kLoad + kPush)),
                       "takes another tile than the 8 x 8 one that was pushed"));
}

TEST(InterpreterPipes, TheBufferOfAPipeIsItsOwn) {
  auto reserved = [](int base, int size, const char *at) {
    return "%r = pto.reserve_buffer {name = \"b\", size = " + std::to_string(size) +
           ", location = #pto.address_space<vec>, auto = false, base = " + std::to_string(base) +
           "} -> i32\n%e = pto.alloc_tile addr = %" + at + " : " + kVec + "\n";
  };
  EXPECT_EQ(run(pair("", reserved(0, 4096, "a4096"))).fault, "");
  EXPECT_TRUE(mentions(run(pair("", reserved(0, 4128, "a4096"))), "lies in a buffer that is a pipe's, from 0 to 4128"));
  const std::string flat = "!pto.tile_buf<loc=mat, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, "
                           "slayout=none_box, fractal=512, pad=0>";
  const std::string cube = "%q = pto.tpop_from_aiv {split = 0} -> " + flat + "\npto.tpush_to_aiv(%q : " + flat +
                           ") {split = 0}\npto.tfree_from_aiv {split = 0}\n";
  const std::string rounds = "%t2 = pto.alloc_tile addr = %a4096 : " + kVec +
                             "\npto.tload ins(%xp : " + "!pto.partition_tensor_view<8x8xf32>) outs(%t2 : " + kVec +
                             ")\npto.tpush_to_aic(%t2 : " + kVec + ") {split = 0}\n" + kTake + kFree;
  EXPECT_EQ(run(pair(cube + "%z1 = arith.constant 0 : i32\n", reserved(0, 512, "a4096") + rounds)).fault, "");
  EXPECT_TRUE(mentions(run(pair(cube, reserved(32, 512, "a4096") + rounds)), "lies outside of the buffer of its pipe"));
}

TEST(Interpreter, BrokenTextIsAFault) {
  for (const char *text :
       {"module {", "func.func @k(", "module { func.func @k() { %x = } }", "%", "}", "module { ( }",
        "module { func.func @k() { return } ", "module { func.func @k() { pto.tload ins(%q : f32) } }"}) {
    EXPECT_NE(run(text).fault, "") << text;
  }
}

} // namespace
} // namespace placid::interp
