// SPDX-License-Identifier: Apache-2.0
#include "compiler/target/target.h"

#include <gtest/gtest.h>

#include <string>

namespace placid::target {
namespace {

TEST(Target, NamesResolve) {
  EXPECT_EQ(find("a2")->arch, Arch::A2);
  EXPECT_EQ(find("a3")->arch, Arch::A3);
  EXPECT_EQ(find("a2a3")->arch, Arch::A3);
  EXPECT_EQ(find("a5")->arch, Arch::A5);
  EXPECT_EQ(find("A3"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(Target, OneListOfNames) {
  ASSERT_EQ(targets().size(), kArchNames.size());
  std::string choices;
  for (size_t i = 0; i < kArchNames.size(); ++i) {
    EXPECT_EQ(targets()[i].name, kArchNames[i]);
    EXPECT_EQ(parseArch(kArchNames[i]), targets()[i].arch);
    choices += (i == 0 ? "" : i + 1 == kArchNames.size() ? " or " : ", ") + std::string(kArchNames[i]);
  }
  EXPECT_EQ(kArchChoices, choices);
}

TEST(Target, TablesAreIndexedByTheirEnums) {
  ASSERT_EQ(targets().size(), 3u);
  for (const Target &target : targets()) {
    EXPECT_EQ(&get(target.arch), &target);
    ASSERT_EQ(target.memories.size(), kSpaceCount);
    for (unsigned i = 0; i < kSpaceCount; ++i) {
      EXPECT_EQ(static_cast<unsigned>(target.memories[i].space), i);
    }
    for (Space space : {Space::Left, Space::Right, Space::Acc}) {
      EXPECT_EQ(target.memory(space).alignment, 512);
    }
    for (Space space : {Space::Vec, Space::Mat, Space::Bias}) {
      EXPECT_EQ(target.memory(space).alignment, 32);
    }
    EXPECT_EQ(target.memory(Space::Scaling).alignment, 128);
  }
}

TEST(Target, CapacitiesThatTheNzRulesQuote) {
  EXPECT_EQ(get(Arch::A3).capacity(Space::Acc), 131072);
  EXPECT_EQ(get(Arch::A2).capacity(Space::Acc), 131072);
  EXPECT_EQ(get(Arch::A5).capacity(Space::Acc), 262144);
  EXPECT_TRUE(get(Arch::A2).nzStore);
  EXPECT_FALSE(get(Arch::A5).nzStore);
}

TEST(Target, AccumulatorRowsAreRounded) {
  const Target &a3 = get(Arch::A3);
  EXPECT_EQ(physicalTileBytes(a3, Space::Acc, 16, 64, 32, true), 32 * 64 * 4);
  EXPECT_EQ(physicalTileBytes(a3, Space::Acc, 16, 64, 32, false), 16 * 64 * 4);
  EXPECT_EQ(physicalTileBytes(get(Arch::A5), Space::Acc, 16, 64, 32, true), 16 * 64 * 4);
  EXPECT_EQ(physicalTileBytes(a3, Space::Mat, 16, 64, 32, true), 16 * 64 * 4);
  EXPECT_EQ(physicalTileBytes(a3, Space::Vec, 1, 3, 4, true), 2);
}

TEST(Target, CountsSaturateInsteadOfWrapping) {
  EXPECT_EQ(saturatingAdd(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(saturatingAdd(3, 4), 7);
  EXPECT_EQ(saturatingMul(INT64_C(1) << 62, 2), INT64_MAX);
  EXPECT_EQ(saturatingMul(INT64_MAX, 0), 0);
  EXPECT_EQ(saturatingMul(0, INT64_MAX), 0);
  EXPECT_EQ(roundUp(INT64_MAX, 16), INT64_MAX);
  EXPECT_EQ(roundUp(INT64_MAX - 16, 16), INT64_MAX - 15);
  EXPECT_EQ(roundUp(0, 16), 0);
  EXPECT_EQ(roundUp(17, 16), 32);
  const Target &a3 = get(Arch::A3);
  EXPECT_EQ(physicalTileBytes(a3, Space::Vec, 3037000500, 3037000500, 32, false), INT64_MAX);
  EXPECT_EQ(physicalTileBytes(a3, Space::Acc, INT64_MAX, 1, 32, true), INT64_MAX);
  EXPECT_EQ(physicalTileBytes(a3, Space::Mat, INT64_C(1) << 40, 1, 16, false), INT64_C(1) << 41);
}

TEST(Target, MatmulTriples) {
  const Target &a3 = get(Arch::A3);
  EXPECT_TRUE(a3.hasMatmul("i8", "i8", "i32"));
  EXPECT_TRUE(a3.hasMatmul("bf16", "bf16", "f32"));
  EXPECT_FALSE(a3.hasMatmul("f16", "bf16", "f32"));
  EXPECT_FALSE(a3.hasMatmul("i8", "i8", "f32"));
  EXPECT_FALSE(a3.hasMatmul("f8E4M3FN", "f8E4M3FN", "f32"));
  EXPECT_TRUE(get(Arch::A5).hasMatmul("f8E4M3FN", "f8E4M3FN", "f32"));
}

TEST(Target, Boxes) {
  EXPECT_EQ(tileBox(Space::Mat, 8, false).columns, 32);
  EXPECT_EQ(tileBox(Space::Mat, 8, true).rows, 32);
  EXPECT_EQ(tileBox(Space::Right, 16, false).rows, 16);
  EXPECT_EQ(tileBox(Space::Right, 8, false).rows, 32);
  EXPECT_EQ(tileBox(Space::Acc, 32, false).columns, 16);
  EXPECT_EQ(tileBox(Space::Vec, 16, false).rows, 1);
}

} // namespace
} // namespace placid::target
