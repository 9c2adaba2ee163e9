// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/place_lives.h"

#include <gtest/gtest.h>

namespace placid::pro {
namespace {

TraceNode operation(unsigned written, std::vector<unsigned> read) {
  TraceNode out;
  out.op = "exp";
  out.written = written;
  out.read = std::move(read);
  return out;
}

TraceNode store(unsigned read) {
  TraceNode out;
  out.op = "store";
  out.read = {read};
  out.tensor = 0;
  return out;
}

TraceNode around(TraceNode::Kind kind, std::vector<TraceNode> body) {
  TraceNode out;
  out.kind = kind;
  out.body = std::move(body);
  return out;
}

TEST(PlaceLives, AWriteEndsWhatWasThere) {
  std::vector<TraceNode> list{operation(0, {}), operation(0, {}), store(0)};
  std::vector<Places> after = livesAfter(list, {});
  EXPECT_EQ(after[0], Places{}); // written again before it is read
  EXPECT_EQ(after[1], Places{0});
  EXPECT_EQ(after[2], Places{});
}

TEST(PlaceLives, ALoopKeepsWhatItsNextRoundReads) {
  // a = f(); loop { b = g(a); a = h(b) }
  TraceNode loop = around(TraceNode::Kind::Loop, {operation(1, {0}), operation(0, {1})});
  EXPECT_EQ(livesInLoop(loop, {}), Places{0});
  EXPECT_EQ(livesAfter({operation(0, {}), loop}, {})[0], Places{0});
  // What is filled first in each round is nobody else's.
  EXPECT_EQ(livesInLoop(around(TraceNode::Kind::Loop, {operation(1, {}), store(1)}), {}), Places{});
}

TEST(PlaceLives, ALoopMayHaveNoRound) {
  TraceNode loop = around(TraceNode::Kind::Loop, {operation(0, {})});
  EXPECT_EQ(livesAfter({operation(0, {}), loop, store(0)}, {})[0], Places{0});
}

TEST(PlaceLives, ABranchWithoutAnotherSideKeepsThePlace) {
  TraceNode branch = around(TraceNode::Kind::Branch, {operation(0, {})});
  EXPECT_EQ(livesAfter({operation(0, {}), branch, store(0)}, {})[0], Places{0});
  branch.otherwise = {operation(0, {})};
  EXPECT_EQ(livesAfter({operation(0, {}), branch, store(0)}, {})[0], Places{});
}

TEST(PlaceLives, TheFirstRoundDecidesConditionsOnItsVariable) {
  auto variable = std::make_shared<IndexNode>();
  variable->kind = IndexNode::Kind::Loop;
  variable->constant = 5;
  TraceNode branch = around(TraceNode::Kind::Branch, {operation(0, {})});
  branch.otherwise = {operation(0, {0})};
  branch.condition = makeIndex("==", variable, constantIndex(0));
  TraceNode loop = around(TraceNode::Kind::Loop, {branch});
  loop.loop = 5;
  loop.first = constantIndex(0);
  EXPECT_EQ(livesInLoop(loop, {}), Places{0});
  EXPECT_EQ(livesInFirstRound(loop, {0}), Places{});
  loop.first = constantIndex(1);
  EXPECT_EQ(livesInFirstRound(loop, {0}), Places{0});
}

TEST(PlaceLives, DeepLoopsAreReadOnce) {
  TraceNode loop = operation(0, {1});
  for (int depth = 0; depth < 200; ++depth) {
    loop = around(TraceNode::Kind::Loop, {std::move(loop)});
  }
  EXPECT_EQ(livesInLoop(loop, {2}), (Places{1, 2}));
}

TEST(PlaceLives, EffectsAreThoseOfAllInside) {
  TraceNode forget;
  forget.kind = TraceNode::Kind::Forget;
  forget.read = {3};
  Effects effects = effectsOf(
      around(TraceNode::Kind::Loop, {around(TraceNode::Kind::Branch, {operation(2, {1}), store(2)}), forget}));
  EXPECT_EQ(effects.written, (Places{2, 3}));
  EXPECT_EQ(effects.tensors, Places{0});
  TraceNode element = operation(4, {4});
  element.op = "element.write";
  element.tensor = 1;
  EXPECT_EQ(effectsOf(element).tensors, Places{1});
}

TEST(PlaceLives, NumbersLeadToThoseThatTheyAreMadeOf) {
  // v0 = a round of the loop, v1 behind it; v2 joins a branch; v3 leads to nobody.
  TraceNode loop = around(TraceNode::Kind::Loop, {});
  loop.carried.push_back({0, 1, variableIndex(4), makeIndex(IndexNode::Kind::Add, variableIndex(0), variableIndex(5))});
  loop.carried.push_back({3, 6, constantIndex(0), variableIndex(3)});
  TraceNode branch = around(TraceNode::Kind::Branch, {});
  branch.condition = variableIndex(7);
  branch.joined.push_back({2, variableIndex(1), constantIndex(2)});
  TraceNode write = operation(0, {0});
  write.value = variableIndex(2);
  EXPECT_EQ(usedVariables({loop, branch, write}), (std::set<int64_t>{0, 1, 2, 4, 5, 7}));
  EXPECT_EQ(usedVariables({loop, branch}), (std::set<int64_t>{7}));
  // A body that looks at what its own round carries, from a number that a branch before it gives.
  TraceNode inner = around(TraceNode::Kind::Loop, {write});
  inner.carried.push_back({2, 9, variableIndex(11), variableIndex(12)});
  TraceNode first = around(TraceNode::Kind::Branch, {});
  first.joined.push_back({11, variableIndex(13), constantIndex(0)});
  EXPECT_EQ(usedVariables({first, inner}), (std::set<int64_t>{2, 11, 12, 13}));
}

} // namespace
} // namespace placid::pro
