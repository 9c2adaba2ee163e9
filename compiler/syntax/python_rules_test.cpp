// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::syntax {
namespace {

std::vector<SyntaxFault> faultsOf(const std::string &text) {
  return Parser().parse(std::make_shared<source::SourceText>("t.py", text))->faults;
}

TEST(PythonRules, RefusesWhatPythonRefuses) {
  for (const char *text : {"x = 0064\n",
                           "x = 1_\n",
                           "x = 1__0\n",
                           "x = 0x\n",
                           "x = 0b2\n",
                           "f(a=1, 2)\n",
                           "f(**k, 2)\n",
                           "f(**k, *a)\n",
                           "f(a=1, a=2)\n",
                           "def f(a=1, b): pass\n",
                           "def f(*): pass\n",
                           "def f(*, **k): pass\n",
                           "def f(*a, *b): pass\n",
                           "def f(**k, a): pass\n",
                           "def f(/, a): pass\n",
                           "g = lambda a=1, b: a\n",
                           "def in(a): pass\n",
                           "import a.in.b\n",
                           "f(def=1)\n",
                           "x = *a\n",
                           "*a\n",
                           "*a = x\n",
                           "def f(a):\n    return *a\n",
                           "for i in *a: pass\n",
                           "return\n",
                           "class A:\n    return 1\n",
                           "break\n",
                           "x = yield 1\n",
                           "print res\n",
                           "import a\nfrom __future__ import annotations\n",
                           "for i in x:\npass\n",
                           "def f():\n    if a:\n    b()\n",
                           "if a:\n"}) {
    EXPECT_EQ(faultsOf(text).size(), 1U) << text;
  }
}

TEST(PythonRules, TakesWhatPythonTakes) {
  for (const char *text :
       {"x = 0 + 00 + 0_0 + 1_000 + 0x_ff + 0XfF + 0o17 + 0b1_0 + 0777.5 + 1e1_0 + 5j + 09j + 1.\n",
        "f(*a, b, c=1, *d, **e, f=2, **g)\n",
        "f(x for x in y)\n",
        "def f(a, /, b, c=1, *d, e, f=2, g, **h): return a\n",
        "def f(a, *, b=1, c): pass\n",
        "def f(*, a): return (yield a)\n",
        "g = lambda *a, b=1, c, **d: (yield)\n",
        "a, *b = *c, d\n",
        "x = [*a, *b], {*a}, (*a,)\n",
        "for i in *a, *b: pass\n",
        "def f(a):\n    return *a, 1\n",
        "match = type = print = exec = 1\n",
        "x.match(print=1)\n",
        "\"\"\"What it is.\"\"\"\nfrom __future__ import annotations\nfrom __future__ import division\nimport a\n",
        "a = 1; b = 2;\nif a: b; c\nelse: d\n",
        "while a:\n    break\nelse:\n    pass\n",
        "for a in b:\n    try:\n        continue\n    except E: break\n",
        "match a:\n    case 1: x\n    case None: y\n    case _: z\n",
        "def f():\n    def g(): yield 1\n    return g\n",
        "def f():\n    class A:\n        def g(self): yield 1 ^ 2\n    yield [*a.b, *c(1)]\n"}) {
    std::vector<SyntaxFault> faults = faultsOf(text);
    EXPECT_TRUE(faults.empty()) << text << (faults.empty() ? "" : faults[0].message);
  }
}

TEST(PythonRules, AMissingColonCostsNothingElse) {
  for (const char *text : {"def f(a: int, b)\n    for i in range(4)\n        g(i)\n    return a\n",
                           "def f(a: int, b)\r\n    for i in range(4)\r\n        g(i)\r\n    return a\r\n",
                           "def f(a: int, b) # of two\n    for i in range(4)  # four\n        g(i)\n    return a\n"}) {
    auto module = Parser().parse(std::make_shared<source::SourceText>("t.py", text));
    ASSERT_FALSE(module->faults.empty()) << text;
    EXPECT_EQ(module->faults[0].message, "a `:` is missing at the end of this line");
    EXPECT_EQ(module->faults[0].range.begin, 16U);
    ASSERT_EQ(module->body.size(), 1U) << text;
    EXPECT_EQ(module->body[0]->parameters.size(), 2U);
  }
  const std::string text = "def f(a)\n    b = a\n\n    if b:\n        return c\n    return d\ne = 1\n";
  auto module = Parser().parse(std::make_shared<source::SourceText>("t.py", text));
  EXPECT_EQ(module->faults.size(), 1U);
  ASSERT_EQ(module->body.size(), 2U);
  EXPECT_EQ(module->body[0]->body.size(), 3U);
  EXPECT_EQ(module->body[1]->range.begin, text.find("e = 1"));
}

TEST(PythonRules, NamesOfFullWidthAreTheSameNames) {
  auto module =
      Parser().parse(std::make_shared<source::SourceText>("t.py", "\xEF\xBD\x90l\xEF\xBC\x91 = a.\xEF\xBD\x82\n"));
  ASSERT_EQ(module->body.size(), 1U);
  EXPECT_EQ(module->body[0]->targets[0]->text, "pl1");
  EXPECT_EQ(module->body[0]->value->text, "b");
}

TEST(PythonRules, AStringThatNeverEndsIsOneFault) {
  EXPECT_EQ(faultsOf("a = 1\n\"\"\"what\nimport b\nb.c(\n").size(), 1U);
}

} // namespace
} // namespace placid::syntax
