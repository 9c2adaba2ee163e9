// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/index.h"

#include <gtest/gtest.h>

namespace placid::pro {
namespace {

using Kind = IndexNode::Kind;

Index number(int64_t value) { return constantIndex(value); }

class LoopsTest : public ::testing::Test {
protected:
  Index loop(const char *name, const Index &first, const Index &end, int64_t step = 1) {
    return loops.enter(name, first, end, number(step), {});
  }
  Loops loops;
};

TEST_F(LoopsTest, TheWorstRoundIsNamed) {
  Index i = loop("i", number(0), number(9));
  Index offset = makeIndex(Kind::Mul, i, number(64));
  EXPECT_FALSE(loops.above(offset, 512));
  std::optional<Loops::Witness> found = loops.above(offset, 511);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 512);
  EXPECT_EQ(found->round, "`i = 8`");
  EXPECT_FALSE(loops.below(offset, 0));
}

TEST_F(LoopsTest, InnerBoundsFollowOuterLoops) {
  Index i = loop("i", number(0), number(4));
  Index j = loop("j", number(0), makeIndex(Kind::Add, i, number(1)));
  std::optional<Loops::Witness> found = loops.above(makeIndex(Kind::Add, i, j), 5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 6);
  EXPECT_EQ(found->round, "`i = 3`, `j = 3`");
  // j - i is never positive, which the ranges alone do not tell.
  EXPECT_FALSE(loops.above(makeIndex(Kind::Sub, j, i), 0));
}

TEST_F(LoopsTest, ConditionsChooseRounds) {
  Index i = loop("i", number(0), number(8));
  loops.guard(makeIndex("<", i, number(7)), true);
  EXPECT_FALSE(loops.above(i, 6));
  EXPECT_TRUE(loops.above(i, 5));
  loops.unguard();
  loops.guard(makeIndex("<", i, number(7)), false);
  std::optional<Loops::Witness> found = loops.above(i, 6);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->round, "`i = 7`");
  loops.unguard();
  loops.guard(nullptr, true); // may never hold
  EXPECT_FALSE(loops.above(i, 0));
}

TEST_F(LoopsTest, WhatNeverRunsIsNotJudged) {
  loops.guard(makeIndex("<", number(4), number(3)), true);
  Index i = loop("i", number(0), number(8));
  EXPECT_FALSE(loops.above(i, 6));
  loops.leave();
  loops.unguard();
  loops.guard(makeIndex("<", number(4), number(3)), false);
  EXPECT_TRUE(loops.above(loop("j", number(0), number(8)), 6));
}

TEST_F(LoopsTest, WhatIsNotKnownIsNotJudged) {
  EXPECT_EQ(loop("n", number(0), nullptr), nullptr);
  Index i = loop("i", number(0), number(8));
  EXPECT_TRUE(loops.above(i, 6)); // the loop around it decides nothing about i
  loops.enterUnknown();
  EXPECT_FALSE(loops.above(i, 6));
  loops.leave();
  loops.leave();
  EXPECT_FALSE(loops.above(i, 6)); // over
}

TEST_F(LoopsTest, ManyRoundsAreLookedAtFromBothEnds) {
  Index i = loop("i", number(0), number(int64_t{1} << 40));
  std::optional<Loops::Witness> found = loops.above(i, 100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, (int64_t{1} << 40) - 1);
}

TEST_F(LoopsTest, AlignmentNamesTheFirstRound) {
  Index i = loop("i", number(0), number(4));
  EXPECT_FALSE(loops.unaligned(makeIndex(Kind::Mul, i, number(32)), 16));
  std::optional<Loops::Witness> found = loops.unaligned(makeIndex(Kind::Mul, i, number(24)), 16);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 24);
  EXPECT_EQ(found->round, "`i = 1`");
}

TEST_F(LoopsTest, WhatATraceKnowsIsNotJudged) {
  Index i = loop("i", number(0), number(4));
  Index three = ofTrace(number(3));
  EXPECT_TRUE(sameIndex(three, number(3)));
  EXPECT_TRUE(loops.above(makeIndex(Kind::Add, i, number(3)), 5));
  EXPECT_FALSE(loops.above(makeIndex(Kind::Add, i, three), 5));
  EXPECT_FALSE(loops.above(three, 2));
  Index j = loop("j", number(0), three);
  ASSERT_TRUE(j);
  EXPECT_FALSE(loops.above(j, 1));
  loops.guard(makeIndex(Kind::Equal, i, three), true);
  EXPECT_FALSE(loops.above(i, 2));
  loops.unguard();
  EXPECT_TRUE(loops.above(i, 2));
}

TEST_F(LoopsTest, OverflowIsNoValue) {
  Index i = loop("i", number(0), number(4));
  Index huge = makeIndex(Kind::Mul, makeIndex(Kind::Add, i, number(INT64_MAX / 2)), number(4));
  EXPECT_FALSE(loops.above(huge, 0));
}

} // namespace
} // namespace placid::pro
