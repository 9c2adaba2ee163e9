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

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearestName("transpose", kNames), "");
  EXPECT_EQ(nearestName("", kNames), "");
  EXPECT_EQ(nearestName(std::string(1000, 'm'), kNames), "");
}

} // namespace
} // namespace placid::support
