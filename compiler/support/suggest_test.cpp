// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace placid::support {
namespace {

const std::vector<std::string> kNames{"matmul", "matmul_acc", "load", "store"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearestName("matmull", kNames), "matmul");
  EXPECT_EQ(nearestName("stroe", kNames), "store");
  EXPECT_EQ(didYouMean("laod", kNames), ": did you mean `load`?");
}

const std::vector<std::string> kPaths{"pl.shr",     "pl.full",    "pl.mul",     "pl.sqrt",
                                      "pl.fmod",    "pl.col_max", "pl.row_sum", "pl.Level.NODE",
                                      "pl.Mem.Vec", "pl.at",      "pl.Level",   "pl.Level.CORE_GROUP",
                                      "pl.FP16",    "pl.FP64"};

TEST(Suggest, LettersChangePlaces) {
  EXPECT_EQ(nearestName("pl.sqtr", kPaths), "pl.sqrt");
  EXPECT_EQ(nearestName("pl.FP61", kPaths), "pl.FP16");
}

TEST(Suggest, TheSameBeginningAndTheSameLettersAreNear) {
  EXPECT_EQ(nearestName("pl.mull", kPaths), "pl.mul");
  EXPECT_EQ(nearestName("pl.Level.CORE", kPaths), "pl.Level.CORE_GROUP");
  EXPECT_EQ(nearestName("pl.Mem.VEC", kPaths), "pl.Mem.Vec");
  EXPECT_EQ(nearestName("pl.At", kPaths), "pl.at");
}

TEST(Suggest, ThePathInFrontOfANameIsNoLikeness) {
  for (const char *name : {"pl.softmax", "pl.sumrow", "pl.where", "pl.kernel", "pl.x"}) {
    EXPECT_EQ(nearestName(name, kPaths), "") << name;
  }
  EXPECT_EQ(nearestName("x", std::vector<std::string>{"y"}), "");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearestName("transpose", kNames), "");
  EXPECT_EQ(nearestName("", kNames), "");
  EXPECT_EQ(nearestName(std::string(1000, 'm'), kNames), "");
}

} // namespace
} // namespace placid::support
