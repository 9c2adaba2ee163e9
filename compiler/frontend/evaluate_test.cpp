// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/program.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

std::unique_ptr<Program> program(const std::string &text, const std::map<std::string, std::string> &defines = {}) {
  auto source = std::make_shared<source::SourceText>("t.py", "import pypto.language as pl\n" + text);
  return buildProgram(syntax::Parser().parse(source), defines);
}

std::string valueOf(const std::string &text, const std::string &name,
                    const std::map<std::string, std::string> &defines = {}) {
  auto made = program(text, defines);
  const Binding *found = made->scopes.front().find(name);
  return found ? show(found->value) : "unbound";
}

TEST(Evaluate, ArithmeticIsPythons) {
  // Right-hand sides as CPython 3 prints them.
  const std::pair<const char *, const char *> cases[] = {
      {"7 // 2", "3"},        {"-7 // 2", "-4"},      {"7 // -2", "-4"},     {"-7 % 3", "2"},
      {"7 % -3", "-2"},       {"1 / 2", "0.5"},       {"2 ** 10", "1024"},   {"-2 ** 2", "-4"},
      {"2 ** 3 ** 2", "512"}, {"1 << 20", "1048576"}, {"-5 >> 1", "-3"},     {"6 & 3", "2"},
      {"6 | 3", "7"},         {"6 ^ 3", "5"},         {"0x20 + 0b11", "35"}, {"1_000", "1000"},
      {"True + 1", "2"},      {"not 0", "True"},      {"3 or 4", "3"},       {"0 and 4", "0"},
      {"1 < 2 < 3", "True"},  {"3 > 2 > 2", "False"}, {"max(3, 9, 4)", "9"}, {"min([5, 2])", "2"},
      {"len((1, 2))", "2"},   {"(1, 2)[-1]", "2"},    {"abs(-4)", "4"},      {"\"a\" + \"b\"", "\"ab\""},
      {"~5", "-6"},
  };
  for (const auto &[text, want] : cases) {
    EXPECT_EQ(valueOf("X = " + std::string(text) + "\n", "X"), want) << text;
  }
}

TEST(Evaluate, WhatCannotBeKnownIsUnknownNeverWrong) {
  for (const char *text :
       {"1 << 63", "9223372036854775807 + 1", "3 * 9223372036854775807", "1 // 0", "1 % 0", "10 ** 30", "f(3)", "x.y",
        "undefined + 1", "99999999999999999999", "open('x').read()", "sum(f(i) for i in range(3))"}) {
    EXPECT_EQ(valueOf("X = " + std::string(text) + "\n", "X"), "an unknown value") << text;
  }
}

TEST(Evaluate, MatchTakesTheFirstCaseThatFits) {
  const std::string head = R"(
class Color:
    RED = 4
def pick(v):
    match v:
        case 0 | -1 | None:
            return 1
        case Color.RED:
            return 2
        case int(n) if n > 100:
            return n
        case [1, *rest, last]:
            return last
        case {"k": [a, _], **more}:
            return a + len(more)
        case str() as word:
            return len(word)
        case (x, y):
            return x * y
        case _:
            return 9
)";
  const std::pair<const char *, const char *> cases[] = {
      {"0", "1"},
      {"-1", "1"},
      {"None", "1"},
      {"4", "2"},
      {"101", "101"},
      {"100", "9"},
      {"[1, 2, 7]", "7"},
      {"[1]", "9"},
      {"(2, 6)", "12"},
      {"\"abc\"", "3"},
      {"[2, 3, 4]", "9"},
      {"1.5", "9"},
      {"{\"k\": [5, 6], \"z\": 1, \"w\": 2}", "7"},
      {"{\"k\": 5}", "9"},
  };
  for (const auto &[text, want] : cases) {
    EXPECT_EQ(valueOf(head + "X = pick(" + text + ")\n", "X"), want) << text;
  }
  EXPECT_EQ(valueOf("match open('x'):\n    case 1:\n        X = 1\n    case _:\n        X = 2\n", "X"),
            "an unknown value");
}

TEST(Evaluate, ContainersOfTheLibrary) {
  const std::string head =
      "from collections import namedtuple, defaultdict, Counter\nimport enum, operator, functools\n"
      "P = namedtuple('P', 'a b c', defaults=[7])\nd = defaultdict(list)\nd['x'].append(3)\n"
      "c = Counter([4, 4, 5])\nclass E(enum.Enum):\n    A = 3\n    B = enum.auto()\n"
      "class F(enum.IntFlag):\n    R = 1\n    W = 2\n";
  const std::pair<const char *, const char *> cases[] = {
      {"P(1, 2).c", "7"},
      {"P(1, b=5)._replace(c=2)[1:]", "[5, 2]"},
      {"sum(P._make([1, 2, 3]))", "6"},
      {"P._fields[1]", "\"b\""},
      {"d['x'][0] + len(d['y'])", "3"},
      {"len(d)", "1"},
      {"c[4] + c[9]", "2"},
      {"c.most_common(1)[0][0]", "4"},
      {"E['B'].value", "4"},
      {"(F.R | F.W).value", "an unknown value"},
      {"(37).bit_length()", "6"},
      {"functools.reduce(operator.mul, [2, 3, 4])", "24"},
      {"[y for x in (1, 5) if (y := x * 2) > 3]", "[10]"},
  };
  for (const auto &[text, want] : cases) {
    auto made = program(head + "X = " + text + "\n");
    const Binding *found = made->scopes.front().find("X");
    EXPECT_EQ(found ? show(found->value) : "unbound", want) << text;
    EXPECT_TRUE(made->diagnostics.empty()) << text;
  }
}

TEST(Evaluate, NamesOfPl) {
  EXPECT_EQ(valueOf("X = pl.NZ\n", "X"), "pl.NZ");
  EXPECT_EQ(valueOf("X = pl.TensorLayout.NZ\n", "X"), "pl.NZ");
  EXPECT_EQ(valueOf("X = pl.Mem.Mat\n", "X"), "pl.Mem.Mat");
  EXPECT_EQ(valueOf("X = pl.MemorySpace.Left\n", "X"), "pl.Mem.Left");
  EXPECT_EQ(valueOf("from pypto.language import NZ as LAY\n", "LAY"), "pl.NZ");
  EXPECT_EQ(valueOf("N = pl.dynamic(\"N\")\n", "N"), "the dynamic dimension `N`");
}

TEST(Evaluate, ModuleStatementsInOrder) {
  EXPECT_EQ(valueOf("A = 2\nB = A * 3\nA = 5\n", "B"), "6");
  EXPECT_EQ(valueOf("A = 2\nA += 3\n", "A"), "5");
  EXPECT_EQ(valueOf("A, B = 3, 4\n", "B"), "4");
  EXPECT_EQ(valueOf("if True:\n    A = 1\nelse:\n    A = 2\n", "A"), "1");
  EXPECT_EQ(valueOf("A = 1\nif unknown():\n    A = 2\n", "A"), "an unknown value");
  EXPECT_EQ(valueOf("A = 1\nfor i in x:\n    A = 2\n", "A"), "an unknown value");
  EXPECT_EQ(valueOf("A = 1\nif __name__ == \"__main__\":\n    A = 2\n", "A"), "1");
}

TEST(Evaluate, DefinesOverrideModuleNames) {
  EXPECT_EQ(valueOf("T = 64\nD = T * 2\n", "D", {{"T", "128"}}), "256");
  EXPECT_EQ(valueOf("T = 64\n", "T", {{"T", "-3"}}), "-3");
  EXPECT_EQ(valueOf("T = 64\n", "T", {{"T", "True"}}), "True");
}

TEST(Program, FindsKernelsInClassesAndBuilders) {
  auto made = program(R"(
@pl.jit
def entry(x):
    pass

@pl.jit.incore
def helper(x):
    pass

def build(rows=32):
    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def kern(self, x):
            pass
    return P

def plain():
    pass
)");
  std::string names;
  for (const KernelDecl &kernel : made->kernels) {
    names += kernel.qualifiedName + ":" + std::string(kindName(kernel.kind)) + " ";
  }
  EXPECT_EQ(names, "entry:orchestration helper:incore P.kern:incore ");
  // A closure constant: the builder's default.
  EXPECT_EQ(show(made->kernels[2].scope->find("rows")->value), "32");
  EXPECT_EQ(made->method(made->kernels[2].programClass, "kern"), &made->kernels[2]);
  EXPECT_EQ(made->method("P", "other"), nullptr);
}

} // namespace
} // namespace placid::frontend
