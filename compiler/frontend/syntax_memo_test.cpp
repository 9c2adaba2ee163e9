// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/syntax_memo.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

std::shared_ptr<const syntax::Module> parse(std::string text) {
  return syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", std::move(text)));
}

TEST(SyntaxMemo, TheSameTextIsReadOnce) {
  SyntaxMemo memo;
  auto before = parse("x = 1\ndef f(a):\n    return a.b + a.b + c\n");
  auto first = memo.read(*before, *before->body[1]);
  auto after = parse("x = 22\n\ndef f(a):\n    return a.b + a.b + c\n");
  before.reset();
  auto second = memo.read(*after, *after->body[1]);
  EXPECT_EQ(first, second);
  std::vector<NameChain> names{{"a", "b"}, {"c"}};
  EXPECT_EQ(second->names, names);
}

TEST(SyntaxMemo, CommentsAndPlacesSayNothing) {
  SyntaxMemo memo;
  auto plain = parse("def f(a):\n    return a\n");
  auto spaced = parse("def f( a ):\n\n    return  a  # it\n");
  auto other = parse("def f(a):\n    return b\n");
  std::string meaning = memo.read(*plain, *plain->body[0])->meaning;
  EXPECT_EQ(meaning, memo.read(*spaced, *spaced->body[0])->meaning);
  EXPECT_NE(meaning, memo.read(*other, *other->body[0])->meaning);
}

TEST(SyntaxMemo, BrokenTextsAreReadAnew) {
  SyntaxMemo memo;
  auto broken = parse("def f(a):\n    return a\nx = (\n");
  ASSERT_FALSE(broken->faults.empty());
  EXPECT_NE(memo.read(*broken, *broken->body[0]), memo.read(*broken, *broken->body[0]));
}

} // namespace
} // namespace placid::frontend
