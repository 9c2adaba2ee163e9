// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/cursor_context.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

using Kind = CursorContext::Kind;

/// `@` in the text is the cursor.
CursorContext at(std::string text) {
  size_t cursor = text.find('@');
  text.erase(cursor, 1);
  return contextAt(text, static_cast<uint32_t>(cursor));
}

/// `callee argument/positional keyword [given]`, or nothing.
std::string call(const std::string &text) {
  std::optional<CallAround> found = at(text).call;
  if (!found) {
    return "-";
  }
  std::string out = found->callee + " " + std::to_string(found->argument) + "/" + std::to_string(found->positional) +
                    " " + found->keyword + " [";
  for (const std::string &name : found->given) {
    out += (out.back() == '[' ? "" : " ") + name;
  }
  return out + "]";
}

TEST(CursorContext, ProseIsNoCode) {
  for (const char *text :
       {"# see pl.@\n", "x = 1  # f(@", "s = \"abc @\"", "s = 'abc@", "\"\"\"a\nb pl.@\n\"\"\"", "f'{pl.@}'"}) {
    EXPECT_EQ(at(text).kind, Kind::Prose) << text;
  }
  for (const char *text : {"# see\npl.@", "s = 'a'@", "x = pl.@  # see", "s = '#' + pl.@"}) {
    EXPECT_EQ(at(text).kind, Kind::Code) << text;
  }
}

TEST(CursorContext, NewNamesAreMadeHere) {
  for (const char *text :
       {"def f@", "class C@:", "import a as p@l", "def f(@n):", "def f(a: int, @n):", "with f() as @x"}) {
    EXPECT_EQ(at(text).kind, Kind::Definition) << text;
    EXPECT_FALSE(at(text).call) << text;
  }
  EXPECT_EQ(at("import pypto.l@anguage").kind, Kind::Import);
  EXPECT_EQ(at("from m import (a,\n    b@)").kind, Kind::Import);
  for (const char *text : {"def f(n: pl.@)", "def f(n=@)", "def f(n: pl.Tensor[[1, @]])", "x = a@"}) {
    EXPECT_EQ(at(text).kind, Kind::Code) << text;
  }
}

TEST(CursorContext, TheNameBeforeTheCursor) {
  EXPECT_EQ(at("x = pl.tile.lo@ad(1)").chain, "pl.tile.lo");
  EXPECT_EQ(at("x = pl.@").chain, "pl.");
  EXPECT_EQ(at("x = @pl").chain, "");
  EXPECT_TRUE(at("f(targ@et=1)").named);
  EXPECT_TRUE(at("f(@target =1)").named);
  EXPECT_FALSE(at("f(targ@et == 1)").named);
  EXPECT_FALSE(at("f(targ@)").named);
}

TEST(CursorContext, TheCallAroundTheCursor) {
  EXPECT_EQ(call("pl.load(@"), "pl.load 0/0  []");
  EXPECT_EQ(call("pl.load(a, [1, @2], k=3)"), "pl.load 1/1  []");
  EXPECT_EQ(call("pl.load(a, k=3, @)"), "pl.load 2/1  [k]");
  EXPECT_EQ(call("pl.load(a, @, k=3, m == 2)"), "pl.load 1/1  [k]");
  EXPECT_EQ(call("pl.load(a, k=b, t=pl@.x, m=g(q=1))"), "pl.load 2/1 t [m k]");
  EXPECT_EQ(call("f(a, (b, @c))"), "f 1/1  []");
  EXPECT_EQ(call("f(g(1, 2), @)"), "f 1/1  []");
  EXPECT_EQ(call("x = (@a)"), "-");
  EXPECT_EQ(call("if (@a)"), "-");
  EXPECT_EQ(call("f(1) + @"), "-");
}

TEST(CursorContext, CommentsAndStringsHideBrackets) {
  EXPECT_EQ(call("# f(\nY = @2\n"), "-");
  EXPECT_EQ(call("X = 'f('\nY = @2\n"), "-");
  EXPECT_EQ(call("x = pl.load(n,  # don't, a (d\n    [0], @)"), "pl.load 2/2  []");
  EXPECT_EQ(call("x = f('a, b', @)"), "f 1/1  []");
}

TEST(CursorContext, ABracketThatIsNeverClosedEndsWithItsStatement) {
  EXPECT_EQ(call("x = f(1,\ndef g(n):\n    return @n\n"), "-");
  EXPECT_EQ(call("x = f(1,\ny = @2\n"), "-");
  EXPECT_EQ(call("    x = f(1,\n        y=@2"), "f 1/1 y []");
  EXPECT_EQ(call("    x = f(\n        1,\n        @"), "f 1/1  []");
}

} // namespace
} // namespace placid::server
