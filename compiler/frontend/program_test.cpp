// SPDX-License-Identifier: Apache-2.0
// What a module's statements bind, whatever ways they take, and what that may cost.
#include "compiler/frontend/program.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

#include <chrono>

namespace placid::frontend {
namespace {

using Defines = std::map<std::string, std::string>;

std::unique_ptr<Program> rawProgram(const std::string &text, const Defines &defines = {}) {
  return buildProgram(syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", text)), defines);
}

std::unique_ptr<Program> program(const std::string &text, const Defines &defines = {}) {
  return rawProgram("import pypto.language as pl\n" + text, defines);
}

std::string value(const Program &made, const std::string &name) {
  const Binding *found = made.scopes.front().find(name);
  return found ? show(found->value) : "unbound";
}

std::string valueOf(const std::string &text, const std::string &name, const Defines &defines = {}) {
  return value(*program(text, defines), name);
}

std::string kernelsOf(const Program &made) {
  std::string out;
  for (const KernelDecl &kernel : made.kernels) {
    out += (out.empty() ? "" : " ") + kernel.qualifiedName;
  }
  return out;
}

constexpr const char *kUnknown = "an unknown value";

TEST(Program, WaysThatAgreeKeepTheValue) {
  EXPECT_EQ(valueOf("if c():\n    A = 1\nelse:\n    A = 1\n", "A"), "1");
  EXPECT_EQ(valueOf("if c():\n    A = 1\nelif d():\n    A = 1\nelse:\n    A = 2\n", "A"), kUnknown);
  EXPECT_EQ(valueOf("A = 1\nif c():\n    if d():\n        A = 2\n", "A"), kUnknown) << "nested";
  EXPECT_EQ(valueOf("A = 1\nif c():\n    A = 2\n    B = A\nelse:\n    B = A\n", "B"), kUnknown);
  EXPECT_EQ(valueOf("A = 1\nif c():\n    A = 2\n    raise E\n", "A"), "1") << "that way leaves";
  EXPECT_EQ(valueOf("A = 2\nif c():\n    pass\nelif A == 2:\n    B = 3\nelse:\n    B = 4\n", "B"), "3");
  EXPECT_EQ(valueOf("A = 1\nfor i in x:\n    B = A\n    A = A + 1\n", "B"), kUnknown);
  EXPECT_EQ(valueOf("A = 1\nwhile c():\n    pass\nelse:\n    A = 2\n", "A"), kUnknown);
  EXPECT_EQ(valueOf("A = 2\nwith c() as f:\n    A = 1\n", "A"), "1");
  EXPECT_EQ(valueOf("with c() as f:\n    A = f\n", "A"), kUnknown);
  EXPECT_EQ(valueOf("try:\n    A = 1\nexcept E:\n    A = 1\n", "A"), "1");
  EXPECT_EQ(valueOf("try:\n    A = 1\nexcept ValueError:\n    A = 2\n", "A"), "1") << "nothing there raises";
  EXPECT_EQ(valueOf("try:\n    A = int('x')\nexcept ValueError:\n    A = 2\n", "A"), "2");
  EXPECT_EQ(valueOf("import m\ntry:\n    m.f()\n    A = 1\nexcept ValueError:\n    A = 2\n", "A"), kUnknown);
  EXPECT_EQ(valueOf("A = 3\ntry:\n    A = 1\nexcept E:\n    raise\nfinally:\n    B = A\n", "B"), "1");
  EXPECT_EQ(valueOf("match c():\n    case 1:\n        A = 1\n    case P(x=B):\n        A = 1\n", "A"), "1");
  EXPECT_EQ(valueOf("B = 1\nmatch c():\n    case P(x=B):\n        pass\n", "B"), kUnknown);
}

TEST(Program, ChangesToItemsAreFollowedOrForgotten) {
  EXPECT_EQ(valueOf("A = [1, 2]\nA[0] = 5\n", "A"), "[5, 2]");
  EXPECT_EQ(valueOf("A = [1, 2]\nA[0] += 5\n", "A"), "[6, 2]");
  EXPECT_EQ(valueOf("A = [1, 2]\nB = A\nB.append(5)\n", "A"), "[1, 2, 5]") << "both names are one list";
  EXPECT_EQ(valueOf("A, *B = [1, 2]\n", "B"), "[2]");
  EXPECT_EQ(valueOf("A = [1, 2]\nif c():\n    A.append(5)\n", "A"), kUnknown);
  EXPECT_EQ(valueOf("A = [1, 2]\nB = (A, 7)\nif c():\n    A.append(5)\nC = B[1]\n", "C"), "7");
  EXPECT_EQ(valueOf("A = [1, 2]\nB = (A, 7)\nif c():\n    A.append(5)\nC = B[0]\n", "C"), kUnknown);
}

TEST(Program, KernelsAreFoundWhereverTheyStand) {
  EXPECT_EQ(kernelsOf(*program(R"(
try:
    @pl.jit
    def a(x): pass
except E:
    @pl.jit
    def b(x): pass
else:
    @pl.jit
    def c(x): pass
finally:
    @pl.jit
    def d(x): pass
while q:
    @pl.jit
    def e(x): pass
else:
    @pl.jit
    def f(x): pass
with q:
    @pl.jit
    def g(x): pass
if q():
    @pl.jit
    def h(x): pass
match q:
    case 1:
        @pl.jit
        def i(x): pass
)")),
            "a c b d e f g h i");
}

TEST(Program, PlImportedInEveryForm) {
  const std::string kernel = "@pl.jit\ndef k(x):\n    pass\n";
  for (const char *import : {
           "import pypto.language as pl\n",
           "from pypto import language as pl\n",
           "try:\n    import pypto.language as pl\nexcept ImportError:\n    pl = None\n",
           "try:\n    import pypto.language as pl\nexcept ImportError:\n    import stub as pl\n",
           "pl = None\nif c():\n    import pypto.language as pl\n",
           "with c():\n    import pypto.language as pl\n",
       }) {
    EXPECT_EQ(kernelsOf(*rawProgram(import + kernel)), "k") << import;
  }
  EXPECT_EQ(kernelsOf(*rawProgram("import pypto.language\n@pypto.language.jit\ndef k(x): pass\n")), "k");
  EXPECT_EQ(kernelsOf(*rawProgram("import pypto as p\n@p.language.jit.incore\ndef k(x): pass\n")), "k");
  EXPECT_EQ(kernelsOf(*rawProgram("try:\n    from pypto.language import jit\nexcept E:\n    jit = None\n"
                                  "@jit\ndef k(x): pass\n")),
            "k");
}

TEST(Program, ImportAllBindsWhatTheDialectHas) {
  auto made = rawProgram("from pypto.language import *\nX = Mem.Mat\nY = FP16\n@jit.incore\ndef k(x): pass\n");
  EXPECT_EQ(kernelsOf(*made), "k");
  EXPECT_EQ(value(*made, "X"), "pl.Mem.Mat");
  EXPECT_EQ(value(*made, "Y"), "pl.FP16");
  EXPECT_EQ(value(*made, "NZ"), "pl.NZ");
  EXPECT_EQ(value(*made, "matmul"), "`pl.matmul`");
  EXPECT_EQ(value(*made, "tile"), "`pl.tile`");
  EXPECT_EQ(value(*made, "matmull"), "unbound");
  EXPECT_EQ(value(*rawProgram("from pypto.language.distributed import *\n"), "window"), "`pld.window`");
  // Later bindings replace imported ones, and the other way round.
  EXPECT_EQ(value(*rawProgram("from pypto.language import *\nNZ = 1\n"), "NZ"), "1");
  EXPECT_EQ(value(*rawProgram("NZ = 1\nfrom pypto.language import *\n"), "NZ"), "pl.NZ");
}

TEST(Program, ImportAllOfAnotherModuleCanBringAnyName) {
  auto made = program("from helpers import *\nX = min(3, 4)\n");
  EXPECT_EQ(value(*made, "ROWS"), kUnknown);
  EXPECT_EQ(value(*made, "X"), "3") << "Python's own names stay";
  EXPECT_EQ(value(*made, "pl"), "`pl`");
}

TEST(Program, KernelsOfTheSecondDialectSaySo) {
  for (const char *import : {"import pypto_pro.language as pl\n", "from pypto_pro import language as pl\n"}) {
    auto made =
        rawProgram(std::string(import) + "@pl.jit(arch=\"a5\")\ndef kern(x: pl.Tensor[[4], pl.DT_FP16]):\n    pass\n");
    EXPECT_TRUE(made->diagnostics.empty()) << import;
    ASSERT_EQ(made->kernels.size(), 1U) << import;
    EXPECT_TRUE(made->kernels[0].second);
    EXPECT_NE(made->kernels[0].decorator, nullptr);
  }
  auto both = rawProgram(
      "from pypto_pro.language import *\n@jit\ndef kern(x: Tensor[[4], DT_FP16]):\n    pass\n"
      "import pypto.language as first\n@first.jit\ndef other(x: first.Tensor[[4], first.FP16]):\n    pass\n");
  ASSERT_EQ(both->kernels.size(), 2U);
  EXPECT_TRUE(both->kernels[0].second);
  EXPECT_FALSE(both->kernels[1].second);
  EXPECT_TRUE(program("import pypto_pro_tools\n")->diagnostics.empty());
}

TEST(Program, DefinesArePython) {
  const std::pair<const char *, const char *> cases[] = {
      {"128", "128"},
      {"-3", "-3"},
      {"1e3", "1000.0"},
      {"0o17", "15"},
      {"0x10", "16"},
      {"2.5", "2.5"},
      {"True", "True"},
      {"None", "None"},
      {"face", "\"face\""},
      {"e", "\"e\""},
      {"a-b", "\"a-b\""},
      {"'quoted'", "\"quoted\""},
      {"(1, 2)", "[1, 2]"},
      {"4 * 16", "64"},
      {"pl.NZ", "pl.NZ"},
      {"1 +", "\"1 +\""},
      {"", "\"\""},
      {"99999999999999999999", kUnknown},
      {"pl.Tensor[[1], pl.FP16]", kUnknown},
  };
  for (const auto &[text, want] : cases) {
    EXPECT_EQ(valueOf("MODE = 0\n", "MODE", {{"MODE", text}}), want) << text;
  }
}

TEST(Program, UnusedDefinesAreKept) {
  auto made =
      program("A = 1\nif c():\n    B = 2\ndef f():\n    C = 3\n", {{"A", "1"}, {"B", "1"}, {"C", "1"}, {"D", "1"}});
  EXPECT_EQ(made->unusedDefines, (std::vector<std::string>{"C", "D"}));
}

/// Runs `text` through the builder and expects it to be quick; without a bound each of these runs for minutes or needs
/// all memory.
std::unique_ptr<Program> quick(const std::string &text) {
  auto begin = std::chrono::steady_clock::now();
  auto made = program(text);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60)) << text.substr(0, 60);
  return made;
}

std::string repeated(const std::string &line, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) {
    out += line;
  }
  return out;
}

TEST(ProgramCost, ValuesThatDoubleAreGivenUp) {
  EXPECT_EQ(value(*quick("A = [1]\n" + repeated("A = A + A\n", 60)), "A"), kUnknown);
  EXPECT_EQ(value(*quick("A = [1]\n" + repeated("A += A\n", 60)), "A"), kUnknown);
  EXPECT_EQ(value(*quick("A = 'ab'\n" + repeated("A = A + A\n", 60)), "A"), kUnknown);
  // A sequence of an unknown value is known again.
  EXPECT_NE(value(*quick("A = 1\n" + repeated("A = (A, A)\n", 60)), "A").find(kUnknown), std::string::npos);
  EXPECT_NE(value(*quick("A = 1\n" + repeated("A = (A,)\n", 20000)), "A").find(kUnknown), std::string::npos);
  EXPECT_EQ(value(*quick("A = x.y\n" + repeated("A = A.abcdefgh\n", 20000)), "A"), kUnknown);
}

TEST(ProgramCost, LargeValuesUsedOftenAreGivenUp) {
  std::string many = "A = [" + repeated("1, ", 8000) + "]\n";
  for (int i = 0; i < 5000; ++i) {
    many += "B" + std::to_string(i) + " = A + A\n";
  }
  auto made = quick(many);
  EXPECT_EQ(value(*made, "B4999"), kUnknown);
  EXPECT_EQ(value(*made, "A"), "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …]");
}

TEST(ProgramCost, SmallProgramsAreNeverGivenUp) {
  std::string text = "A = 0\n" + repeated("A = A + 1\n", 30000);
  EXPECT_EQ(value(*quick(text), "A"), "30000");
}

TEST(ProgramCost, ChainedComparisonsEvaluateEachOperandOnce) {
  std::string text = "1";
  for (int i = 0; i < 60; ++i) {
    text = "0 < (" + text + ") < 2";
  }
  EXPECT_EQ(value(*quick("A = " + text + "\n"), "A"), "True");
}

TEST(ProgramCost, ManyBranchesOverManyNames) {
  std::string text;
  for (int i = 0; i < 10000; ++i) {
    text += "N" + std::to_string(i) + " = 1\n";
  }
  quick(text + repeated("if c():\n    N1 = 2\n", 10000));
}

} // namespace
} // namespace placid::frontend
