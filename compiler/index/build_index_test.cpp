// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/build_index.h"
#include "compiler/index/words.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::index {
namespace {

Index indexOf(const std::string &text) {
  syntax::Parser parser;
  return buildIndex(*parser.parse(std::make_shared<source::SourceText>("k.py", text)));
}

/// `name@offset` of every occurrence of the symbol at the first `name` in the text.
std::vector<std::string> uses(const std::string &text, const std::string &at) {
  Index made = indexOf(text);
  auto offset = static_cast<uint32_t>(text.find(at));
  uint32_t symbol = kNone;
  for (const Occurrence &one : made.occurrences) {
    symbol = one.range.begin == offset ? one.symbol : symbol;
  }
  std::vector<std::string> out;
  for (const Occurrence &one : made.occurrences) {
    if (one.symbol == symbol && symbol != kNone) {
      out.push_back(text.substr(one.range.begin, one.range.end - one.range.begin) + "@" +
                    std::to_string(one.range.begin) + (one.write ? "w" : ""));
    }
  }
  return out;
}

using Uses = std::vector<std::string>;

TEST(Index, ScopesAreThoseOfPython) {
  std::string text = "n = 1\n"
                     "def f(n, m=n):\n"
                     "    k = n\n"
                     "    return n + m\n"
                     "g = n\n";
  EXPECT_EQ(uses(text, "n = 1"), (Uses{"n@0w", "n@17", "n@52"}));
  EXPECT_EQ(uses(text, "n, m"), (Uses{"n@12w", "n@29", "n@42"}));
}

TEST(Index, FunctionsDoNotSeeTheNamesOfTheirClass) {
  std::string text = "x = 1\n"
                     "class C:\n"
                     "    x = 2\n"
                     "    def f(self):\n"
                     "        return x + self.x + C.x\n";
  EXPECT_EQ(uses(text, "x = 1").size(), 2U);
  EXPECT_EQ(uses(text, "x = 2").size(), 3U);
}

TEST(Index, KeywordArgumentsNameTheParameter) {
  std::string text = "def f(rows):\n    return rows\nf(rows=3)\nrows = 1\n";
  EXPECT_EQ(uses(text, "rows").size(), 3U);
}

TEST(Index, NamesInsideExpressionsOfPython) {
  std::string text = "n = 4\nsizes = [n * i for i in range(n)]\nname = f'{n} n'\n";
  EXPECT_EQ(uses(text, "n = 4"), (Uses{"n@0w", "n@15", "n@36", "n@50"}));
}

TEST(Index, SymbolsNestAndKernelsAreToldFromFunctions) {
  Index made = indexOf("import pypto.language as pl\n"
                       "@pl.program\n"
                       "class P:\n"
                       "    @pl.function\n"
                       "    def kern(self, w: pl.Tensor[[16, 16], pl.FP16, pl.NZ]):\n"
                       "        \"\"\"Says so.\"\"\"\n"
                       "        t = pl.load(w, [0, 0], [16, 16])\n"
                       "def helper(): pass\n");
  std::vector<std::string> shown;
  for (const Symbol &symbol : made.symbols) {
    shown.push_back(std::to_string(static_cast<int>(symbol.kind)) + symbol.name);
  }
  EXPECT_EQ(shown, (std::vector<std::string>{"0pl", "3P", "5kern", "6self", "6w", "7t", "4helper"}));
  EXPECT_EQ(made.symbols[2].documentation, "Says so.");
  EXPECT_EQ(made.symbols[2].detail, "(self, w: pl.Tensor[[16, 16], pl.FP16, pl.NZ])");
  EXPECT_EQ(made.symbols[4].parent, 2U);
  ASSERT_EQ(made.calls.size(), 1U);
  EXPECT_EQ(made.calls[0].path, "pypto.language.load");
  EXPECT_EQ(made.calls[0].caller, 2U);
}

TEST(Index, SelfCallsReachTheSiblingFunction) {
  Index made = indexOf("class P:\n    def a(self): pass\n    def b(self):\n        self.a()\n");
  ASSERT_EQ(made.calls.size(), 1U);
  EXPECT_EQ(made.symbols[made.calls[0].symbol].name, "a");
  EXPECT_EQ(made.symbols[made.calls[0].caller].name, "b");
}

TEST(Index, ImportsKeepTheirModule) {
  Index made = indexOf("import a.b\nimport pypto.language as pl\nfrom ..config import TILE as T, ROWS\n");
  ASSERT_EQ(made.imports.size(), 3U);
  EXPECT_EQ(made.imports[2].module, "..config");
  ASSERT_EQ(made.symbols.size(), 4U);
  EXPECT_EQ(made.symbols[0].name, "a");
  EXPECT_EQ(made.symbols[2].name, "T");
  EXPECT_EQ(made.symbols[2].member, "TILE");
  EXPECT_EQ(made.symbols[3].module, "..config");
}

TEST(Index, BrokenTextKeepsTheRest) {
  Index made = indexOf("n = 4\ndef f(x):\n    y = x +\n    return x\ndef g(z:\n    pass\nm = n\n");
  EXPECT_FALSE(made.whole);
  bool seen = false;
  for (const Symbol &symbol : made.symbols) {
    seen |= symbol.name == "m";
  }
  EXPECT_TRUE(seen);
}

TEST(Index, FoldsAndNodes) {
  Index made = indexOf("# one\n# two\nimport a\nimport b\n\ndef f(\n    x,\n):\n    return [\n        x,\n    ]\n");
  std::vector<std::string> shown;
  for (const Fold &fold : made.folds) {
    shown.push_back(std::to_string(static_cast<int>(fold.kind)) + ":" + std::to_string(fold.range.begin));
  }
  EXPECT_EQ(shown, (std::vector<std::string>{"2:0", "1:12", "0:35", "0:59"}));
  for (size_t i = 1; i < made.nodes.size(); ++i) {
    EXPECT_LE(made.nodes[i - 1].begin, made.nodes[i].begin);
  }
}

TEST(Words, NoStringsCommentsAttributesOrKeywords) {
  std::string text = "a.b + c(d=e) # f\n'g' + r'h' + 0x1f if \"\"\"i\n\"\"\" else j == k";
  std::string seen;
  for (source::ByteRange name : namesIn(text, {0, static_cast<uint32_t>(text.size())})) {
    seen += text.substr(name.begin, name.end - name.begin) + " ";
  }
  EXPECT_EQ(seen, "a c e j k ");
}

TEST(Index, ImportedNamesStandWhereTheyAre) {
  std::string text = "from cfg import (a as s,  # s\n    ba as a)\nx = s + a\n";
  EXPECT_EQ(uses(text, "s,"), (Uses{"s@22w", "s@47"}));
  EXPECT_EQ(uses(text, "a)"), (Uses{"a@40w", "a@51"}));
  Index made = indexOf(text);
  ASSERT_EQ(made.members.size(), 2U);
  EXPECT_EQ(made.members[0].path, "cfg.a");
  EXPECT_EQ(text.substr(made.members[0].range.begin, 4), "a as");
  EXPECT_EQ(text.substr(made.members[1].range.begin, 5), "ba as");
  std::string twice = "try:\n    from a import f\nexcept E:\n    from b import f\nf()\n";
  EXPECT_EQ(uses(twice, "f\nexcept").size(), 3U);
  std::string dotted = "import x.y\nimport x.y as x2\nz = x.y + x2\n";
  EXPECT_EQ(uses(dotted, "x.y"), (Uses{"x@7w", "x@32"}));
}

TEST(Index, NamesOfOthersAreNotBoundHere) {
  std::string text = "def f():\n    global N\n    N = 4\n    def g():\n        return N\nN = 3\n";
  EXPECT_EQ(uses(text, "N = 3"), (Uses{"N@20", "N@26w", "N@60", "N@62w"}));
  std::string inner = "def f():\n    n = 3\n    def g():\n        nonlocal n\n        n = 4\n        return n\n";
  EXPECT_EQ(uses(inner, "n = 3").size(), 4U);
}

TEST(Index, NamesInStringsThatAreCode) {
  std::string text = "N = 4\ndef f(x: 'pl.T[N]', n) -> \"N\":\n    return f'{n}', f\"{n:>{n}} {'a' + str(n)}\", 'n'\n";
  EXPECT_EQ(uses(text, "N = 4").size(), 3U);
  EXPECT_EQ(uses(text, "n) ->").size(), 5U);
}

TEST(Index, ComprehensionsAndLambdasHideNames) {
  std::string text = "def f(n):\n    x = [n for n in range(n) if n]\n    y = lambda n, m=n: n\n    return n\n";
  EXPECT_EQ(uses(text, "n):"), (Uses{"n@6w", "n@36", "n@65", "n@81"}));
}

TEST(Index, AWalrusBinds) {
  std::string text = "def f(q):\n    if (n := q) > 3:\n        print([n for q in q], n)\n        del n\n";
  EXPECT_EQ(uses(text, "n := q").size(), 4U);
}

TEST(Index, PatternsAndHandlersReadTheirClasses) {
  std::string text = "class C:\n    pass\ndef f(q, n):\n    match q:\n        case C(x=1) if n:\n            return n\n"
                     "    try:\n        pass\n    except C as n:\n        raise n from C\n";
  EXPECT_EQ(uses(text, "C:").size(), 4U);
  EXPECT_EQ(uses(text, "n):").size(), 5U);
}

TEST(Index, ClassesSeeTheNamesOfTheirBases) {
  std::string text = "class C:\n    T = 16\nclass D(C):\n    def m(self):\n        return self.T + D.T\n";
  EXPECT_EQ(uses(text, "T = 16").size(), 3U);
  EXPECT_EQ(uses(text, "C:").size(), 2U);
}

} // namespace
} // namespace placid::index
