// SPDX-License-Identifier: Apache-2.0
// The direct parser against the grammar: where it does not give up, both say the same, node for node.
#include "compiler/syntax/direct_parser.h"
#include "compiler/syntax/module_dump.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/python_rules.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace placid::syntax {
namespace {

/// Nothing when the direct parser gives up.
std::optional<std::string> directly(const std::string &text) {
  Module module;
  module.source = std::make_shared<source::SourceText>("t.py", text);
  const bool given = DirectParser(module.source->text, module.source).run(module.parts);
  module.body = bodyOf(module.parts);
  return given && brokenRules(module, text).empty() ? std::optional(testing::dump(module)) : std::nullopt;
}

std::string byGrammar(const std::string &text) {
  return testing::dump(*Parser().parseByGrammar(std::make_shared<source::SourceText>("t.py", text)));
}

const char *const kTexts[] = {
    "import a.b as c, d\nfrom . import x\nfrom ..p.q import (a, b as c,)\nfrom m import *\n",
    "from __future__ import annotations\n\"\"\"A text\n\"quoted\" in it.\"\"\"\n",
    "x = 1\ny: int = 0x1F\nz: list[int]\nw = v = 1_000.5e-3\nx += 2; y //= 3; z **= -1\n",
    "a, b = b, a\n(c, d), *e = f\n[g, h] = (1,), ()\nfor i, (j, k) in enumerate(x,):\n    pass\n",
    "if (n := f(x)) and not y or z:\n    a = 1\nelif b is not c:\n    a = 2\nelif c not  in d < e != f:\n    a = "
    "3\nelse:\n    a = 4\n",
    "while x < 3:\n    x = x + 1\n    if x: break\n    continue\nelse:\n    pass;\n",
    "try:\n    import q\nexcept (A, B) as e:\n    raise X(e) from e\nexcept C:\n    raise\nelse:\n    x = "
    "1\nfinally:\n    y = 2\n",
    "with a as b, c(d) as e.f, g:\n    del x, y[0]\n    assert x == 1, \"no\"\n    global p, q\n",
    "@dec\n@pl.function(type=pl.FunctionType.Opaque)\nclass A(B, metaclass=M):\n    x: int\n    def f(self, *args, k: "
    "int = 3, **kw) -> T[int, U[x]]:\n        return self.x\n",
    "def f(a, /, b: pl.Tensor[[M, N], pl.FP32], *, c=1, d: Out[pl.Tensor[[8], X, pl.NZ]] = None): return a, b\n",
    "x = a[1:2, ::3, :, k:k + 8, ...]\ny = a[(1, 2)]\nz = a[(1,)]\nw = a[1,]\n",
    "x = -a ** -b * c @ d // e % f + g - h << i >> 2 & j | ~k\n",
    "x = (a) + (b)\ny = ((a + b)) * c\nz = (a).b(c)[d]\n",
    "f(a, *b, k=v, **d)\ng(x for x in y if x if not y)\nh(type=1, print=2)\n",
    "x = [i for i in range(3) for j, k in z if i == j]\ny = {a: b for a, b in c}\nz = {i for i in c}\nw = (i for i in "
    "c)\n",
    "x = {}\ny = {**a, 'k': 1, }\nz = {1, 2, *c}\nw = {'a': {'b': []}}\n",
    "x = lambda a, *b, c=1, **d: a if b else c\ny = lambda: 0\n",
    "x = f'a{b!r:>{w}.{p}f}c{{d}}{e = }' f\"{f(x, 'y')}\" 'z'\ny = f''\nz = f'{{}}'\n",
    "x = r'\\d' b'\\x00' rb'\\n' u'x' '\\u00e9\\n' \"it's\" '''a\nb'''\n",
    "x = (1,\n     2,  # two\n\n     3)\ny = x + \\\n    1\n\n# end\n",
    "class A(B, metaclass=M, tag=1): pass\nx = f'{ a = !r}{b=}{c = :>4}'\n",
    "class A: pass\nclass B():\n    \"\"\"Doc.\"\"\"\n\n    a = 1\n    # comment\n\n\n\nx = ...\n",
    "def f():\n  if a:\n      b\n  else:\n        c\n  d\ne",
    "x = 1\r\nif x:\r\n    y = (2,\r\n         3)\r\n\r\nz = 4\r\n",
    "x = 'a' if b else 'c' if d else 'e'\nprint('a', x)\nprint(f(x), end='')\n",
    "a = b = c, d\nx.y[0] = x.z = 1\nx[0], y.z = 1, 2\n",
    "a < b < c in d\na is b\nnot a in b\nnot not a\n",
    "x = 0b101 + 0o17 + 1. + .5 + 1e5 + 00\n",
    "\n\n   \n# only\n",
    "for x in a, b: pass\nreturn\nreturn a,\nx,\n",
    "async def f():\n    await g()\n",
    "x = a ^ b & c\nx = 1j\nx = yield\n",
    "match x:\n    case 1: pass\n",
    "x: A[int] | None = 1\ny: int | None\nz: a.b[c] | None\n",
    "def f(a: A[B[c] | None, D] | E | F[G] = 1, *b: A[B]) -> A[B] | None:\n    match = 1\n    type = match = 2\n",
};

TEST(DirectParser, SaysWhatTheGrammarSays) {
  size_t direct = 0;
  for (const char *text : kTexts) {
    if (std::optional<std::string> seen = directly(text)) {
      ++direct;
      EXPECT_EQ(*seen, byGrammar(text)) << text;
    }
  }
  EXPECT_GE(direct, std::size(kTexts) - 8); // some are of those that it leaves to the grammar
}

/// The grammar takes the second line of these for one that ends a block.
TEST(DirectParser, ReadsBracketsThatReachLeftOfTheirBlock) {
  EXPECT_TRUE(directly("def f():\n    def g(a, b: int =\n3):\n        return a\n"));
}

TEST(DirectParser, GivesUpOnBrokenTexts) {
  for (const char *text : {"x = (1\n", "x = 'a\n", "if x:\ny = 1\n", "x = 1 +\n", "  x = 1\n", "def f(:\n    pass\n",
                           "x = 1 2\n", "if a:\n        b\n    c\n", "x = [1, 2\ny = 3\n", "f(a=)\n", "x = a.\n",
                           "x = f'{'\n", "x = f'{a'\n", "try:\n    pass\n", "\tx = 1\n", "x = $\n", "x = a b\n"}) {
    EXPECT_FALSE(directly(text)) << text;
  }
}

/// Every walk goes as deep as the tree is tall: what is too tall is left to the grammar, which says so.
TEST(DirectParser, LeavesTallTreesToTheGrammar) {
  auto many = [](const std::string &part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) {
      out += part;
    }
    return out;
  };
  EXPECT_FALSE(directly("x = 1" + many("+1", 100000) + "\n"));
  EXPECT_FALSE(directly("x = a" + many(" or a", 1000) + "\n"));
  EXPECT_FALSE(directly("x = a" + many(".b", 1000) + "\n"));
  EXPECT_FALSE(directly("x = " + many("(", 20) + "a" + many("+a+a+a+a+a+a+a+a+a+a+a+a)", 20) + "\n"));
  EXPECT_TRUE(directly("x = [" + many("a + b.c[0] * 2, ", 1000) + "]\n"));
  EXPECT_TRUE(directly(many("a.b[0] = c.d(e) + 1; f.g = 1\n", 1000)));
  EXPECT_TRUE(directly("def f():\n" + many("    for a.b in c.d(1):\n        e.f = -g\n", 500)));
}

TEST(DirectParser, StaysWithTheGrammarUnderMutation) {
  std::mt19937 random(11);
  const std::string kPieces[] = {" ",   "\n",     "    ",  "(",    ")",    "[",       "]",  ":", ",",
                                 "=",   "*",      ".",     "x",    "'",    "\"",      "f'", "{", "}",
                                 "if ", " else ", " for ", " in ", "not ", "lambda ", "\\", "#", ";",
                                 "@",   "1",      "|",     "**",   "->",   "\r\n",    "is "};
  size_t direct = 0;
  size_t refused = 0; // by the grammar alone: it stumbles over lines in brackets that stand left of their block
  for (size_t round = 0; round < 12000; ++round) {
    std::string text = kTexts[random() % std::size(kTexts)];
    for (size_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      size_t at = random() % text.size();
      switch (random() % 3) {
      case 0:
        text.erase(at, 1 + random() % 3);
        break;
      case 1:
        text.insert(at, kPieces[random() % std::size(kPieces)]);
        break;
      default:
        text.replace(at, 1, kPieces[random() % std::size(kPieces)]);
      }
    }
    if (std::optional<std::string> seen = directly(text)) {
      ++direct;
      std::string other = byGrammar(text);
      if (other.find("fault ") != std::string::npos) {
        ++refused;
        continue;
      }
      ASSERT_EQ(*seen, other) << text;
    }
  }
  EXPECT_GT(direct, 1000U);
  EXPECT_LT(refused, direct / 100);
}

} // namespace
} // namespace placid::syntax
