// SPDX-License-Identifier: Apache-2.0
// Both tables of the TensorLayout page, row by row, and the arithmetic of NZ storage.
#include "compiler/pro/layout/tensor_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace placid::pro {
namespace {

using target::Arch;
using Layouts = std::vector<Layout>;

constexpr std::optional<Layout> kNone;

TEST(TensorLayout, WhatEachLayoutIsFor) {
  struct Row {
    Layout layout;
    bool tensor;
    bool boxed;
    Layout twin;
  };
  constexpr Row kRows[] = {
      {Layout::ND, true, false, Layout::DN}, {Layout::DN, false, false, Layout::ND},
      {Layout::NZ, true, true, Layout::ZN},  {Layout::ZN, false, true, Layout::NZ},
      {Layout::ZZ, false, true, Layout::NN}, {Layout::NN, false, true, Layout::ZZ},
  };
  std::set<std::string_view> texts;
  for (const Row &row : kRows) {
    EXPECT_EQ(tensorMayBe(row.layout), row.tensor) << name(row.layout);
    EXPECT_EQ(isBoxed(row.layout), row.boxed) << name(row.layout);
    EXPECT_EQ(transposed(row.layout), row.twin) << name(row.layout);
    EXPECT_EQ(layoutOf(name(row.layout)), row.layout);
    EXPECT_TRUE(texts.insert(orderText(row.layout)).second) << "an order that another layout has too";
  }
  EXPECT_EQ(layoutOf("NX"), kNone);
}

TEST(TensorLayout, DefaultsOfEachMemory) {
  struct Row {
    Space space;
    std::optional<Layout> a3;
    std::optional<Layout> a5;
  };
  const Row rows[] = {
      {Space::Vec, kNone, kNone},
      {Space::Mat, Layout::NZ, Layout::NZ},
      {Space::Left, Layout::ZZ, Layout::NZ},
      {Space::Right, Layout::ZN, Layout::ZN},
      {Space::Acc, Layout::NZ, Layout::NZ},
      {Space::Scaling, Layout::ND, Layout::ND},
      {Space::ScaleLeft, kNone, Layout::ZZ},
      {Space::ScaleRight, kNone, Layout::NN},
      {Space::Bias, Layout::ND, Layout::ND},
  };
  for (const Row &row : rows) {
    EXPECT_EQ(defaultLayout(row.space, Arch::A3), row.a3) << name(row.space);
    EXPECT_EQ(defaultLayout(row.space, Arch::A2), row.a3) << name(row.space);
    EXPECT_EQ(defaultLayout(row.space, Arch::A5), row.a5) << name(row.space);
    EXPECT_EQ(spaceOf(name(row.space)), row.space);
    std::optional<Layout> standard = row.a5;
    Layouts allowed = allowedLayouts(row.space, DType::Fp16);
    EXPECT_TRUE(!standard || std::find(allowed.begin(), allowed.end(), *standard) != allowed.end())
        << "a default that is refused";
  }
  EXPECT_FALSE(existsOn(Space::ScaleLeft, Arch::A3));
  EXPECT_FALSE(existsOn(Space::ScaleRight, Arch::A2));
  EXPECT_TRUE(existsOn(Space::ScaleLeft, Arch::A5));
  EXPECT_TRUE(existsOn(Space::Left, Arch::A3));
}

TEST(TensorLayout, AllowedInEachMemory) {
  EXPECT_EQ(allowedLayouts(Space::Mat, DType::Fp16), (Layouts{Layout::NZ, Layout::ZN}));
  EXPECT_EQ(allowedLayouts(Space::Mat, DType::Fp8E8M0), (Layouts{Layout::NZ, Layout::ZN, Layout::NN, Layout::ZZ}));
  EXPECT_EQ(allowedLayouts(Space::Mat, DType::UInt64), (Layouts{Layout::ND, Layout::NZ, Layout::ZN}));
  EXPECT_EQ(allowedLayouts(Space::Mat, DType::Int64), (Layouts{Layout::ND, Layout::NZ, Layout::ZN}));
  EXPECT_EQ(allowedLayouts(Space::Mat, DType::Int32), (Layouts{Layout::NZ, Layout::ZN}));
  EXPECT_EQ(allowedLayouts(Space::Left, DType::Fp16), (Layouts{Layout::NZ, Layout::ZZ}));
  EXPECT_EQ(allowedLayouts(Space::Right, DType::Fp16), Layouts{Layout::ZN});
  EXPECT_EQ(allowedLayouts(Space::Acc, DType::Fp32), Layouts{Layout::NZ});
  EXPECT_EQ(allowedLayouts(Space::Scaling, DType::Int64), Layouts{Layout::ND});
  EXPECT_EQ(allowedLayouts(Space::ScaleLeft, DType::Fp8E8M0), Layouts{Layout::ZZ});
  EXPECT_EQ(allowedLayouts(Space::ScaleRight, DType::Fp8E8M0), Layouts{Layout::NN});
  EXPECT_EQ(allowedLayouts(Space::Vec, DType::Fp16), (Layouts{Layout::ND, Layout::DN, Layout::NZ}));
}

TEST(TensorLayout, ElementsOfOneLine) {
  struct Row {
    int64_t c0;
    std::vector<DType> dtypes;
  };
  const Row rows[] = {
      {64, {DType::Fp4E2M1, DType::Fp4E1M2}},
      {32, {DType::Int8, DType::Fp8E4M3FN, DType::Fp8E5M2, DType::Fp8E8M0, DType::Hf8, DType::UInt8}},
      {16, {DType::Fp16, DType::Bf16, DType::Int16, DType::UInt16}},
      {8, {DType::Fp32, DType::Int32, DType::UInt32}},
      {4, {DType::Int64, DType::UInt64}},
  };
  for (const Row &row : rows) {
    for (DType dtype : row.dtypes) {
      EXPECT_EQ(c0(dtype), row.c0) << name(dtype);
      EXPECT_EQ(c0(dtype) * bits(dtype), 256) << name(dtype);
      EXPECT_TRUE(isTransferable(dtype)) << name(dtype);
    }
  }
  EXPECT_EQ(c0(DType::Bool), 0);
}

TEST(TensorLayout, DtypesByName) {
  int transferable = 0;
  for (const std::string &word : dtypeNames()) {
    std::optional<DType> dtype = dtypeOf(word);
    ASSERT_TRUE(dtype) << word;
    EXPECT_EQ(spelled(*dtype), "pl." + word);
    transferable += isTransferable(*dtype) ? 1 : 0;
  }
  EXPECT_EQ(dtypeNames().size(), kDTypeCount);
  EXPECT_EQ(transferable, 17);
  EXPECT_FALSE(dtypeOf("FP16"));
  EXPECT_FALSE(dtypeOf("DT_FP17"));
  for (DType dtype : {DType::Bool, DType::Int4, DType::UInt4, DType::Fp4, DType::Hf4}) {
    EXPECT_FALSE(isTransferable(dtype)) << name(dtype);
  }
  for (DType dtype : {DType::Fp4, DType::Fp8E4M3FN, DType::Fp8E8M0, DType::Hf8, DType::Int4}) {
    EXPECT_TRUE(isStorageOnly(dtype)) << name(dtype);
  }
  EXPECT_FALSE(isStorageOnly(DType::Fp16));
}

TEST(TensorLayout, StorageOfAnUnalignedPlane) {
  NzPlane plane = nzPlane(50, 70, DType::Fp16);
  EXPECT_EQ(plane.paddedRows, 64);
  EXPECT_EQ(plane.paddedColumns, 80);
  EXPECT_EQ(plane.elements, 5120);
  EXPECT_EQ(plane.bytes, 10240);
  EXPECT_EQ(plane.blocked, (std::array<int64_t, 4>{5, 4, 16, 16}));
  EXPECT_TRUE(plane.padded);
  EXPECT_FALSE(nzPlane(64, 80, DType::Fp16).padded);
  NzPlane fp4 = nzPlane(17, 65, DType::Fp4E2M1);
  EXPECT_EQ(fp4.blocked, (std::array<int64_t, 4>{2, 2, 16, 64}));
  EXPECT_EQ(fp4.bytes, 32 * 128 / 2);
  EXPECT_EQ(nzPlane(INT64_MAX - 1, INT64_MAX - 1, DType::Fp32).elements, INT64_MAX);
}

TEST(TensorLayout, EveryElementHasItsOwnPlace) {
  for (DType dtype : {DType::Fp4E1M2, DType::Int8, DType::Bf16, DType::Fp32, DType::Int64}) {
    NzPlane plane = nzPlane(19, 37, dtype);
    std::set<int64_t> seen;
    for (int64_t row = 0; row < 19; ++row) {
      for (int64_t column = 0; column < 37; ++column) {
        int64_t at = nzElementOffset(plane, row, column);
        EXPECT_TRUE(at >= 0 && at < plane.elements && seen.insert(at).second)
            << name(dtype) << " " << row << " " << column;
        // [column block][row block][row in block][column in block]
        int64_t byBlocks =
            ((column / plane.c0 * plane.blocked[1] + row / 16) * 16 + row % 16) * plane.c0 + column % plane.c0;
        EXPECT_EQ(at, byBlocks);
      }
    }
  }
}

TEST(TensorLayout, BoxesAndFractals) {
  auto box = [](Layout layout, int64_t fractal, DType dtype) {
    Box out = innerBox(layout, fractal, dtype);
    return std::pair(out.rows, out.columns);
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(box(Layout::NZ, 512, DType::Fp16), Pair(16, 16));
  EXPECT_EQ(box(Layout::ZZ, 512, DType::Int8), Pair(16, 32));
  EXPECT_EQ(box(Layout::ZN, 512, DType::Fp8E4M3FN), Pair(32, 16));
  EXPECT_EQ(box(Layout::NN, 512, DType::Fp32), Pair(8, 16));
  EXPECT_EQ(box(Layout::NZ, 512, DType::Fp4E2M1), Pair(16, 32)) << "a tile's box counts a byte for each FP4 element";
  EXPECT_EQ(box(Layout::NZ, 1024, DType::Fp32), Pair(16, 16));
  EXPECT_EQ(box(Layout::ZZ, 32, DType::Fp8E8M0), Pair(16, 2));
  EXPECT_EQ(box(Layout::NN, 32, DType::Fp8E8M0), Pair(2, 16));
  EXPECT_EQ(defaultFractal(Space::Acc, DType::Fp32, Layout::NZ), 1024);
  EXPECT_EQ(defaultFractal(Space::Acc, DType::Int32, Layout::NZ), 1024);
  EXPECT_EQ(defaultFractal(Space::Mat, DType::Fp16, Layout::NZ), 512);
  EXPECT_EQ(defaultFractal(Space::Mat, DType::Fp8E8M0, Layout::ZZ), 32);
  EXPECT_EQ(defaultFractal(Space::Mat, DType::Fp8E8M0, Layout::NZ), 512);
  EXPECT_EQ(defaultFractal(Space::ScaleLeft, DType::Fp8E8M0, Layout::ZZ), 32);
  EXPECT_EQ(defaultFractal(Space::ScaleRight, DType::Fp8E8M0, Layout::NN), 32);
}

TEST(TensorLayout, SizesOfMemories) {
  EXPECT_EQ(capacity(Space::Vec, Arch::A5), 262144);
  EXPECT_EQ(softCapacity(Space::Vec, Arch::A5), 253952);
  EXPECT_EQ(softCapacity(Space::Vec, Arch::A3), capacity(Space::Vec, Arch::A3));
  EXPECT_EQ(capacity(Space::Acc, Arch::A5), 262144);
  EXPECT_EQ(capacity(Space::Acc, Arch::A3), 131072);
  EXPECT_EQ(capacity(Space::ScaleLeft, Arch::A3), 0);
  EXPECT_EQ(footprint({64, 128}, DType::Fp32), 32768);
  EXPECT_EQ(footprint({3, 3}, DType::Fp4E2M1), 5) << "half a byte at the end is one";
  EXPECT_EQ(footprint({INT64_MAX, 2}, DType::Fp32), INT64_MAX);
  EXPECT_EQ(addressAlignment(Space::Left), 512);
  EXPECT_EQ(addressAlignment(Space::Acc), 64);
  EXPECT_EQ(addressAlignment(Space::Scaling), 1);
  EXPECT_EQ(documentedAlignment(Space::Scaling), 128);
}

} // namespace
} // namespace placid::pro
