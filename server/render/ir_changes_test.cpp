// SPDX-License-Identifier: Apache-2.0
#include "server/render/ir_changes.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

TEST(IrChanges, OnlyWhatChangedIsMarked) {
  size_t changed = 0;
  EXPECT_EQ(markChanges("f {\n  %0 = a\n  %1 = b %0\n}\n", "f {\n  %0 = a\n  %1 = new\n  %2 = b %0\n}\n", changed),
            "f {\n  %0 = a\n  %1 = new // +\n  %2 = b %0\n}\n");
  EXPECT_EQ(changed, 1U);
}

TEST(IrChanges, NumbersOfValuesDoNotCount) {
  size_t changed = 7;
  const char *text = "%arg0 %c0_1 %5#1 loc\n";
  EXPECT_EQ(markChanges("%arg1 %c0 %6#0 loc\n", text, changed), text);
  EXPECT_EQ(changed, 0U);
}

TEST(IrChanges, MovedAndRemovedLines) {
  size_t changed = 0;
  EXPECT_EQ(markChanges("a\nb\nc\n", "c\na\nb\n", changed), "c // +\na\nb\n");
  EXPECT_EQ(markChanges("a\nb\nc\n", "a\nc\n", changed), "a\nc\n");
  EXPECT_EQ(changed, 0U);
  EXPECT_EQ(markChanges("", "a\n", changed), "a // +\n");
  EXPECT_EQ(markChanges("a\n", "", changed), "");
}

TEST(IrChanges, LongTextsAreComparedAsBags) {
  std::string before;
  std::string after;
  for (int i = 0; i < 3000; ++i) {
    before += "x" + std::to_string(i) + "\n";
    after += "x" + std::to_string(2999 - i) + "\n";
  }
  size_t changed = 0;
  markChanges(before, after + "y\n", changed);
  EXPECT_EQ(changed, 1U);
}

} // namespace
} // namespace placid::server
