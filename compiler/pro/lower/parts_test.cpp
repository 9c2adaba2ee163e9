// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/parts.h"

#include <gtest/gtest.h>

namespace placid::pro {
namespace {

Part part(int64_t rows, int64_t columns) { return {constantIndex(rows), constantIndex(columns)}; }

class Parts : public testing::Test {
protected:
  unsigned place(int64_t rows, int64_t columns, Space space, Part had = {}) {
    TraceTile &tile = trace_.tiles.emplace_back();
    tile.name = "t";
    tile.type.shape = {rows, columns};
    tile.type.space = space;
    written_.push_back(std::move(had));
    return static_cast<unsigned>(trace_.tiles.size()) - 1;
  }

  static TraceNode node(std::string_view op, unsigned written, std::vector<unsigned> read, std::vector<Part> parts) {
    TraceNode out;
    out.op = op;
    out.written = written;
    out.read = std::move(read);
    out.parts = std::move(parts);
    return out;
  }

  std::string settle(TraceNode &node) { return PartSettler{trace_, written_}.settle(node); }

  Trace trace_;
  std::vector<Part> written_;
};

TEST_F(Parts, WholeTilesStayWhole) {
  unsigned a = place(16, 16, Space::Vec);
  TraceNode add = node("add", a, {a, a}, {{}, {}});
  add.byResult = true;
  EXPECT_EQ(settle(add), "");
  EXPECT_TRUE(add.valid.empty());
}

TEST_F(Parts, ResultIsCutToWhatOperandsHave) {
  unsigned a = place(16, 16, Space::Vec, part(4, 16));
  unsigned b = place(16, 16, Space::Vec);
  TraceNode add = node("add", b, {a, b}, {{}, {}});
  add.byResult = true;
  EXPECT_EQ(settle(add), "");
  EXPECT_TRUE(samePart(add.valid, part(4, 16)));
  EXPECT_TRUE(samePart(add.parts[1], part(4, 16)));
}

TEST_F(Parts, PartsThatCrossAreRefused) {
  unsigned a = place(16, 16, Space::Vec, part(4, 16));
  unsigned b = place(16, 16, Space::Vec, part(16, 4));
  TraceNode add = node("add", place(16, 16, Space::Vec), {a, b}, {{}, {}});
  add.byResult = true;
  EXPECT_NE(settle(add), "");
}

TEST_F(Parts, StoresOfMoreThanWasWrittenAreRefused) {
  unsigned a = place(16, 16, Space::Vec, part(4, 16));
  TraceNode store = node("store", a, {a}, {part(8, 16)});
  EXPECT_NE(settle(store), "");
  store.parts = {part(3, 16)};
  EXPECT_EQ(settle(store), "");
}

TEST_F(Parts, ProductsTakeRowsAndColumnsOfTheirOperands) {
  unsigned left = place(32, 16, Space::Left, part(20, 16));
  unsigned right = place(16, 48, Space::Right, part(16, 40));
  unsigned acc = place(32, 48, Space::Acc);
  TraceNode product = node("matmul", acc, {left, right}, {{}, {}});
  EXPECT_EQ(settle(product), "");
  EXPECT_TRUE(samePart(product.valid, part(20, 40)));
  written_[acc] = part(16, 40);
  TraceNode more = node("matmul_acc", acc, {acc, left, right}, {{}, {}, {}});
  EXPECT_NE(settle(more), "") << "rows of the sum that were never begun";
}

TEST_F(Parts, InnerExtentIsTheLeftOperands) {
  unsigned left = place(16, 32, Space::Left, part(16, 24));
  unsigned right = place(32, 16, Space::Right);
  TraceNode product = node("matmul", place(16, 16, Space::Acc), {left, right}, {{}, {}});
  EXPECT_EQ(settle(product), "");
  EXPECT_TRUE(samePart(product.parts[1], part(24, 16)));
  written_[left] = {};
  written_[right] = part(24, 16);
  TraceNode unknown = node("matmul", 2, {left, right}, {{}, {}});
  EXPECT_NE(settle(unknown), "");
}

TEST_F(Parts, WindowsNeedAWholeSource) {
  unsigned mat = place(64, 64, Space::Mat);
  TraceNode move = node("move", place(16, 64, Space::Left), {mat}, {part(16, 64)});
  move.offsets = {constantIndex(48), constantIndex(0)};
  EXPECT_EQ(settle(move), "");
  EXPECT_TRUE(move.parts[0].empty());
  written_[mat] = part(16, 64);
  EXPECT_NE(settle(move), "");
}

} // namespace
} // namespace placid::pro
