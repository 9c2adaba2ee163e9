// SPDX-License-Identifier: Apache-2.0
#include "server/render/picture.h"
#include "server/render/picture_svg.h"
#include "server/render/picture_text.h"
#include "server/render/svg_writer.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

using compiler::Expr;

compiler::InspectResult report() {
  compiler::InspectTensor tensor;
  tensor.name = "w";
  tensor.layout = "NZ";
  tensor.dtype = "FP16";
  tensor.logical = {int64_t{48}, int64_t{64}};
  tensor.c0 = 16;
  tensor.blocked = {int64_t{1}, int64_t{4}, int64_t{3}, int64_t{16}, int64_t{16}};
  compiler::InspectAccess access;
  access.op = "load";
  access.tensor = "w";
  access.result = "w_l1";
  access.offsets = {int64_t{0}, int64_t{1}, std::string("floordiv(r0, 16)"), int64_t{0}, int64_t{0}};
  access.sizes = {int64_t{1}, int64_t{2}, int64_t{1}, int64_t{16}, int64_t{16}};
  access.gapBlocks = 32;
  compiler::InspectTensor plain;
  plain.name = "x";
  plain.layout = "ND";
  compiler::InspectResult out;
  out.kernels.push_back({
      "P.kern",
      {tensor, plain},
      {access},
  });
  return out;
}

source::SourceText text() { return {"k.py", "w\n"}; }

size_t countOf(const std::string &in, const std::string &what) {
  size_t out = 0;
  for (size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) {
    ++out;
  }
  return out;
}

TEST(Picture, WindowsAreInFractalsAndInTheUsersElements) {
  std::vector<Picture> pictures = picturesOf(report(), text());
  ASSERT_EQ(pictures.size(), 1U) << "only NZ tensors have one";
  const Picture &picture = pictures[0];
  EXPECT_EQ(picture.rowFractals, 3);
  EXPECT_EQ(picture.columnFractals, 4);
  ASSERT_EQ(picture.windows.size(), 1U);
  EXPECT_EQ(picture.windows[0].columns.start, 1);
  EXPECT_FALSE(picture.windows[0].rows.start);
  EXPECT_EQ(windowWords(picture.windows[0]), "rows r0 … +16, columns 16 … +32");
  EXPECT_TRUE(picturesOf(report(), text(), "other").empty());
}

TEST(Picture, SvgShowsOrderWindowRunsAndGap) {
  std::string svg = pictureSvg(picturesOf(report(), text()));
  EXPECT_EQ(svg, pictureSvg(picturesOf(report(), text())));
  EXPECT_EQ(countOf(svg, "class=\"tiny middle\""), 12U) << "each fractal has its number";
  EXPECT_EQ(countOf(svg, "class=\"window w0\""), 1U);
  EXPECT_EQ(countOf(svg, "class=\"ghost w0\""), 1U) << "a symbolic start shows where it may go";
  EXPECT_EQ(countOf(svg, "class=\"run w0\""), 2U) << "one run in each column block that the window meets";
  EXPECT_EQ(countOf(svg, "class=\"gap w0\""), 1U);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(Picture, LargePlanesStaySmall) {
  compiler::InspectResult large = report();
  compiler::InspectTensor &tensor = large.kernels[0].tensors[0];
  tensor.blocked = {std::string("B"), int64_t{2048}, int64_t{4096}, int64_t{16}, int64_t{16}};
  std::string svg = pictureSvg(picturesOf(large, text()));
  EXPECT_LT(svg.size(), 64U * 1024U);
  EXPECT_NE(svg.find("one of B panels"), std::string::npos);
}

TEST(Picture, NamesAreNoMarkup) {
  compiler::InspectResult hostile = report();
  hostile.kernels[0].tensors[0].name = "<script>&\"";
  hostile.kernels[0].accesses.clear();
  for (const std::string &out :
       {pictureSvg(picturesOf(hostile, text())), pictureHtml(picturesOf(hostile, text()), "<b>")}) {
    EXPECT_EQ(out.find("<script"), std::string::npos);
    EXPECT_EQ(out.find("<b>"), std::string::npos);
  }
}

TEST(Picture, ChunksCutTheWindowOfAStore) {
  compiler::InspectResult stored = report();
  compiler::InspectAccess &access = stored.kernels[0].accesses[0];
  access.op = "store";
  access.range = {3, 9};
  auto at = [](int64_t column) { return std::vector<Expr>{int64_t{0}, column, int64_t{0}, int64_t{0}, int64_t{0}}; };
  stored.kernels[0].chunks.push_back({"w", {3, 9}, 16, {at(1), at(2)}, {}});
  std::string svg = pictureSvg(picturesOf(stored, text()));
  EXPECT_EQ(countOf(svg, "class=\"chunk w0\""), 1U);
  EXPECT_NE(svg.find("emitted in 2 chunks"), std::string::npos);
}

TEST(Picture, RefusedDeclarationsSaySo) {
  compiler::InspectResult refused = report();
  refused.kernels[0].tensors[0].rejected = "nz-rows-align";
  EXPECT_NE(pictureSvg(picturesOf(refused, text())).find("refused: nz-rows-align"), std::string::npos);
}

TEST(Picture, TextMarksTheWindow) {
  std::vector<Picture> pictures = picturesOf(report(), text());
  EXPECT_EQ(pictureText(pictures[0], &pictures[0].windows[0]),
            "        0  16  32  48  columns\n"
            "   0   0  [3] [6]  9   number: the fractal's place in memory\n"
            "  16   1   4   7  10 \n"
            "  32   2   5   8  11 \n"
            "rows\n"
            "the window is drawn at 0; it starts at row r0, column 16\n");
}

TEST(SvgWriter, NumbersHaveTwoDecimalsAtMost) {
  EXPECT_EQ(SvgWriter::number(0), "0");
  EXPECT_EQ(SvgWriter::number(-1.5), "-1.5");
  EXPECT_EQ(SvgWriter::number(2.057), "2.06");
  EXPECT_EQ(SvgWriter::number(1.0 / 3), "0.33");
}

} // namespace
} // namespace placid::server
