// SPDX-License-Identifier: Apache-2.0
#include "server/render/hover_text.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

compiler::InspectResult inspect(const std::string &text) {
  testing::FakeCompiler compiler;
  return compiler.inspect(std::make_shared<source::SourceText>("k.py", text), {}, {});
}

TEST(HoverText, Declaration) {
  compiler::InspectResult result = inspect("pl.NZ");
  EXPECT_EQ(hoverText(result.kernels[0].tensors[0], {}, true),
            "**w**: NZ tensor of FP16\n\n"
            "- logical shape: `[192, 64]`\n"
            "- c0: `16`, the elements of one 32-byte C0 line\n"
            "- blocked shape: `[1, 4, 12, 16, 16]`, as batch, columns / c0, rows / 16, 16, c0\n"
            "- strides in elements: `[12288, 3072, 256, 16, 1]`\n"
            "- byte of element [r, c]: `2 * ((c / 16) * 3072 + (r / 16) * 256 + (r % 16) * 16 + c % 16)`");
}

TEST(HoverText, TheFormulaIsTheBlockedByteOrder) {
  // The formula of the text above, against packing the logical [192, 64] matrix block by block.
  size_t expected = 0;
  for (size_t block = 0; block < 4; ++block) {
    for (size_t fractal = 0; fractal < 12; ++fractal) {
      for (size_t row = 0; row < 16; ++row) {
        for (size_t column = 0; column < 16; ++column, ++expected) {
          size_t r = fractal * 16 + row;
          size_t c = block * 16 + column;
          ASSERT_EQ((c / 16) * 3072 + (r / 16) * 256 + (r % 16) * 16 + c % 16, expected);
        }
      }
    }
  }
}

TEST(HoverText, SymbolicBatchAndPlainText) {
  compiler::InspectTensor tensor = inspect("pl.NZ").kernels[0].tensors[0];
  tensor.dtype = "INT8";
  tensor.c0 = 32;
  tensor.blocked[0] = std::string("E");
  std::string text = hoverText(tensor, {}, false);
  EXPECT_NE(text.find("byte of element [b, r, c]: b * 12288 + (c / 32) * 3072"), std::string::npos) << text;
  EXPECT_EQ(text.find('`'), std::string::npos);
  EXPECT_EQ(text.find('*' + std::string("*")), std::string::npos);
}

TEST(HoverText, Access) {
  compiler::InspectResult result = inspect("LOAD");
  EXPECT_EQ(hoverText(result.kernels[0].accesses[0], {}, true),
            "load of NZ tensor **w** to `w_l1`\n\n"
            "- blocked offsets: `[0, 0, floordiv(r0, 16), 0, 0]`\n"
            "- blocked sizes: `[1, 4, 3, 16, 16]`\n"
            "- tile: `[48, 64]`\n"
            "- GM row gap: `144` of at most 65535 32-byte blocks\n"
            "- row offset `r0` is a multiple of 16: 48 * lane: factor 48; never negative: block index");
}

TEST(HoverText, RefusalsSayWhy) {
  compiler::InspectResult result = inspect("pl.NZ BADUSE");
  std::string text = hoverText(result.kernels[0].accesses[0], result.check.diagnostics, true);
  EXPECT_EQ(text, "load of NZ tensor **w**\n\n**Refused: nz-offset-align**\n\nthe offset `r0` is not a multiple of 16");
}

} // namespace
} // namespace placid::server
