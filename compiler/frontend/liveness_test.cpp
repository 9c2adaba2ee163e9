// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/liveness.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

/// Whether `x` is live after the first statement of `text`.
bool liveAfterFirst(const std::string &text, bool loop = false) {
  auto module = syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", text));
  NameFates fates;
  Continuation next(fates);
  next.enter(module->body, loop);
  next.at(0);
  return next.isLive("x");
}

TEST(Liveness, TheNextTouchDecides) {
  EXPECT_TRUE(liveAfterFirst("x = 1\ny = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\nx = 2\ny = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\ny = 2\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nx = f(x)\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nx[0:2] = y\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nreturn x\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nf(a=[x])\n"));
}

TEST(Liveness, BranchesAndLoopsMayNotRun) {
  EXPECT_TRUE(liveAfterFirst("x = 1\nif c:\n    x = 2\ny = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\nif c:\n    x = 2\nelse:\n    x = 3\ny = x\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nfor i in n:\n    x = 2\ny = x\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nfor i in n:\n    y = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\nwith w:\n    x = 2\ny = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\nwith w as x:\n    y = x\n"));
  EXPECT_FALSE(liveAfterFirst("x = 1\nfor x in n:\n    y = x\n"));
}

TEST(Liveness, NothingFollowsAReturn) {
  EXPECT_FALSE(liveAfterFirst("x = 1\nif c:\n    return a\nelse:\n    return b\ny = x\n"));
  EXPECT_TRUE(liveAfterFirst("x = 1\nif c:\n    return a\ny = x\n"));
}

TEST(Liveness, ManyOtherNamesBetween) {
  std::string text = "x = 1\nwith w:\n";
  for (int i = 0; i < 200; ++i) {
    text += "    n" + std::to_string(i) + " = m" + std::to_string(i) + "\n";
  }
  EXPECT_FALSE(liveAfterFirst(text));
  EXPECT_TRUE(liveAfterFirst(text + "    f(k=[x])\n"));
  EXPECT_FALSE(liveAfterFirst(text + "    x = 2\nf(x)\n"));
}

TEST(Liveness, ALoopBeginsAgain) {
  EXPECT_TRUE(liveAfterFirst("if c:\n    y = x\n    x = x + 1\n", /*loop=*/true));
  EXPECT_FALSE(liveAfterFirst("if c:\n    y = x\n    x = x + 1\n", /*loop=*/false));
  // Inside a loop, an outer block's later statements count as well.
  auto module =
      syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", "for i in n:\n    x = 1\nuse(x)\n"));
  NameFates fates;
  Continuation next(fates);
  next.enter(module->body, false);
  next.at(0);
  next.enter(module->body[0]->body, true);
  next.at(0);
  EXPECT_TRUE(next.isLive("x"));
}

} // namespace
} // namespace placid::frontend
