// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/name_flow.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

#include <chrono>

namespace placid::frontend {
namespace {

std::shared_ptr<const syntax::Module> parse(std::string text) {
  return syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", std::move(text)));
}

TEST(NameFlow, ExposedReadsAreThoseBeforeASureAssignment) {
  auto module = parse(
      "r = x\nuse(r)\nif c:\n    s = 1\nuse(s)\nfor i in n:\n    t = 1\nuse(t)\nwith w as v:\n    u = 2\nuse(u, v)\n"
      "out[a:b] = r\n");
  std::set<std::string, std::less<>> exposed = exposedReads(module->body);
  EXPECT_TRUE(exposed.contains("x"));
  EXPECT_FALSE(exposed.contains("r"));
  EXPECT_TRUE(exposed.contains("s")) << "only one branch assigns it";
  EXPECT_TRUE(exposed.contains("t")) << "the loop may not run";
  EXPECT_FALSE(exposed.contains("u")) << "a with block runs";
  EXPECT_TRUE(exposed.contains("out")) << "a window write reads its target";
}

TEST(NameFlow, AssignedNamesInOrder) {
  auto module = parse("b = 1\na, c = f()\nif x:\n    d = 2\nout[0] = b\n");
  EXPECT_EQ(assignedNames(module->body), (std::vector<std::string>{"b", "a", "c", "d", "out"}));
}

TEST(NameFlow, ClausesMayNotRun) {
  auto module = parse("try:\n    a = 1\nexcept E as e:\n    b = e\nfinally:\n    c = 1\nuse(a, b, c, e)\n");
  std::set<std::string, std::less<>> exposed = exposedReads(module->body);
  for (const char *name : {"a", "b", "c", "e"}) {
    EXPECT_TRUE(exposed.contains(name)) << name;
  }
  EXPECT_EQ(assignedNames(module->body), (std::vector<std::string>{"a", "e", "b", "c"}));
}

TEST(NameFlow, BothBranchesAssign) {
  auto module =
      parse("if c:\n    if d:\n        a = 1\n    else:\n        a = 2\n    b = a\nelse:\n    a = 3\nuse(a, b)\n");
  std::set<std::string, std::less<>> exposed = exposedReads(module->body);
  EXPECT_FALSE(exposed.contains("a"));
  EXPECT_TRUE(exposed.contains("b"));
}

/// Work that grows with the square of these would take minutes.
TEST(NameFlow, LongBodiesAreLinear) {
  std::string text;
  for (int i = 0; i < 100000; ++i) {
    std::string name = "v" + std::to_string(i);
    text += name + " = x\n" + (i % 10 == 0 ? "if " + name + ":\n    y = " + name + "\n" : "");
  }
  auto module = parse(text);
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(assignedNames(module->body).size(), 100001U);
  EXPECT_EQ(exposedReads(module->body), (std::set<std::string, std::less<>>{"x"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

} // namespace
} // namespace placid::frontend
