// SPDX-License-Identifier: Apache-2.0
// What leaves an accumulator: scales, offsets, rounding, bounds and relu, on a product whose numbers are squares.
#include "compiler/interpreter/interpret.h"
#include "compiler/interpreter/parser.h"

#include <gtest/gtest.h>

#include <bit>

namespace placid::interp {
namespace {

constexpr int kSide = 16;

std::string tile(const std::string &loc, const std::string &dtype, const std::string &order, int fractal,
                 int rows = kSide) {
  std::string extents = "rows=" + std::to_string(rows) + ", cols=16, v_row=" + std::to_string(rows) + ", v_col=16, ";
  return "!pto.tile_buf<loc=" + loc + ", dtype=" + dtype + ", " + extents + order +
         ", fractal=" + std::to_string(fractal) + ", pad=0>";
}

struct Left {
  std::string fault;
  std::vector<int64_t> diagonal; ///< Integers, or halves counted twice.
};

/// The squares of `roots` on the diagonal of an accumulator, stored as `dtype` with `scale` (the text of an operand)
/// and `attributes`. `words` fill the row in Scaling.
Left store(const std::vector<double> &roots, const std::string &dtype, const std::string &scale,
           const std::string &attributes = "", const std::vector<uint64_t> &words = {}) {
  std::string nz = "blayout=col_major, slayout=row_major";
  std::string flat = "blayout=row_major, slayout=none_box";
  std::string mat = tile("mat", "f32", nz, 512);
  std::string left = tile("left", "f32", nz, 512);
  std::string right = tile("right", "f32", "blayout=row_major, slayout=col_major", 512);
  std::string acc = tile("acc", "f32", nz, 1024);
  std::string line = tile("mat", "i64", flat, 512, 1);
  std::string row = tile("scaling", "i64", flat, 512, 1);
  std::string views;
  auto view = [&](const std::string &name, const std::string &argument, const std::string &rows,
                  const std::string &type) {
    std::string shape = (rows == "%c1" ? "1x16x" : "16x16x") + type;
    views += "%" + name + "v = pto.make_tensor_view " + argument + ", shape = [" + rows +
             ", %c16], strides = [%c16, %c1] : " + "!pto.tensor_view<?x?x" + type + ">\n%" + name +
             " = pto.partition_view %" + name + "v, offsets = [%c0, %c0], sizes = [" + rows +
             ", %c16] : !pto.tensor_view<?x?x" + type + "> -> !pto.partition_tensor_view<" + shape + ">\n";
    return "!pto.partition_tensor_view<" + shape + ">";
  };
  std::string x = view("x", "%arg0", "%c16", "f32");
  std::string y = view("y", "%arg1", "%c16", dtype);
  std::string w = view("w", "%arg2", "%c1", "i64");
  std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<" + dtype +
      ">, %arg2: !pto.ptr<i64>) {\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
      "%c16 = arith.constant 16 : index\n%at = arith.constant 0 : i64\n%far = arith.constant 4096 : i64\n" +
      views + "%m = pto.alloc_tile addr = %at : " + mat + "\n%l = pto.alloc_tile addr = %at : " + left +
      "\n%r = pto.alloc_tile addr = %at : " + right + "\n%a = pto.alloc_tile addr = %at : " + acc +
      "\n%n = pto.alloc_tile addr = %far : " + line + "\n%s = pto.alloc_tile addr = %at : " + row +
      "\npto.tload ins(%x : " + x + ") outs(%m : " + mat + ")\npto.tload ins(%w : " + w + ") outs(%n : " + line +
      ")\npto.tmov ins(%n : " + line + ") outs(%s : " + row + ")\npto.tmov ins(%m : " + mat + ") outs(%l : " + left +
      ")\npto.tmov ins(%m : " + mat + ") outs(%r : " + right + ")\npto.tmatmul ins(%l, %r : " + left + ", " + right +
      ") outs(%a : " + acc + ")\n%q = arith.constant " + (scale.empty() || scale == "row" ? "0" : scale) +
      " : i64\npto.tstore ins(%a : " + acc +
      (scale == "row"  ? " fp %s : " + row
       : scale.empty() ? ""
                       : ", %q : i64") +
      ") outs(%y : " + y + ") " + attributes + "\nreturn\n}\n}\n";
  auto parsed = parseProgram(text);
  if (const auto *fault = std::get_if<Fault>(&parsed)) {
    return {"parse: " + fault->message, {}};
  }
  DType to = *parseDType(dtype);
  Memory in("x", kSide * kSide * 4);
  Memory out("y", kSide * kSide * info(to).bytes);
  Memory scales("w", kSide * 8);
  for (int i = 0; i < kSide * kSide; ++i) {
    bool diagonal = i % kSide == i / kSide && static_cast<size_t>(i % kSide) < roots.size();
    EXPECT_EQ(in.write(i * 4, DType::F32, Number::ofFloat(diagonal ? roots[i % kSide] : 0)), "");
  }
  for (size_t i = 0; i < kSide; ++i) {
    uint64_t word = i < words.size() ? words[i] : 0;
    EXPECT_EQ(scales.write(static_cast<int64_t>(i) * 8, DType::I64, Number::ofInt(static_cast<int64_t>(word))), "");
  }
  Left result;
  RunOptions options;
  options.maxStatements = 1000;
  std::vector<ArgumentValue> arguments{{&in, {}}, {&out, {}}, {&scales, {}}};
  if (std::optional<Fault> fault = runProgram(std::get<Program>(parsed), options, arguments, {})) {
    result.fault = fault->message;
    return result;
  }
  for (size_t i = 0; i < roots.size(); ++i) {
    Number number;
    EXPECT_EQ(out.read(static_cast<int64_t>(i) * (kSide + 1) * info(to).bytes, to, number), "");
    result.diagonal.push_back(number.isFloat ? static_cast<int64_t>(number.f * 2) : number.i);
  }
  return result;
}

uint64_t word(float scale, bool isSigned = false, int64_t offset = 0) {
  return std::bit_cast<uint32_t>(scale) | static_cast<uint64_t>(offset & 511) << 37 | uint64_t{isSigned} << 46;
}

std::string text(uint64_t number) { return std::to_string(number); }

TEST(Fixpipe, BytesAreRoundedToEvenAndHeld) {
  EXPECT_EQ(store({1, 3, 5, 20}, "i8", text(word(0.5F, true))).diagonal, (std::vector<int64_t>{0, 4, 12, 127}));
  EXPECT_EQ(store({1, 3, 20, 30}, "ui8", text(word(0.5F))).diagonal, (std::vector<int64_t>{0, 4, 200, 255}));
  EXPECT_EQ(store({3, 20}, "i8", text(word(-1.0F, true))).diagonal, (std::vector<int64_t>{-9, -128}));
  EXPECT_EQ(store({3, 20}, "ui8", text(word(-1.0F))).diagonal, (std::vector<int64_t>{0, 0}));
}

TEST(Fixpipe, OffsetsAreAddedToBytes) {
  EXPECT_EQ(store({3, 4}, "i8", text(word(1.0F, true, -10))).diagonal, (std::vector<int64_t>{-1, 6}));
}

TEST(Fixpipe, HalvesAreHeldAtTheLargest) {
  EXPECT_EQ(store({1, 300}, "f16", text(word(1.5F))).diagonal, (std::vector<int64_t>{3, 131008}));
  EXPECT_EQ(store({1}, "f32", text(word(0.5F))).diagonal, (std::vector<int64_t>{1}));
}

TEST(Fixpipe, ARowHasAScaleForEachColumn) {
  std::vector<uint64_t> words{word(1.0F, true), word(0.5F, true), word(-2.0F, true)};
  EXPECT_EQ(store({3, 4, 5}, "i8", "row", "", words).diagonal, (std::vector<int64_t>{9, 8, -50}));
  // Ten bits of the mantissa are kept: 1 + 2^-11 is 1.
  EXPECT_EQ(store({64}, "f32", "row", "", {word(1.0F + 1.0F / 2048)}).diagonal, (std::vector<int64_t>{8192}));
}

TEST(Fixpipe, ReluComesLast) {
  std::string relu = "{reluPreMode = #pto<relu_pre_mode normal_relu>}";
  EXPECT_EQ(store({3}, "i8", text(word(-1.0F, true)), relu).diagonal, (std::vector<int64_t>{0}));
  EXPECT_EQ(store({3}, "f32", "", relu).diagonal, (std::vector<int64_t>{18}));
}

TEST(Fixpipe, WhatItDoesNotConvertIsAFault) {
  EXPECT_NE(store({3}, "i8", "").fault.find("without a scale"), std::string::npos);
  EXPECT_NE(store({3}, "i32", text(word(1.0F))).fault.find("with a scale"), std::string::npos);
}

} // namespace
} // namespace placid::interp
