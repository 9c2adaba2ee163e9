// SPDX-License-Identifier: Apache-2.0
// Which kernels an edit compiles again, counted, and that what is not compiled again says what a cold compile says.
#include "compiler/driver/in_process.h"

#include <gtest/gtest.h>

namespace placid::compiler {
namespace {

constexpr const char *kConfig = R"py(ROWS = 16
UNUSED = 3


class Sizes:
    WIDE = 64
    NARROW = 32


def doubled(n):
    return n * 2
)py";

constexpr const char *kKernels = R"py(import pypto.language as pl
import config
from config import Sizes, doubled

LOCAL = 64
SIXTEEN = doubled(8)


@pl.function(type=pl.FunctionType.Inline)
def helper(x: pl.Tensor[[32, 64], pl.FP16]):
    t = pl.load(x, [0, 0], [16, 64])
    return t


@pl.function(type=pl.FunctionType.InCore)
def first(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    # The upper half.
    t = helper(x)
    return pl.store(t, [0, 0], y)


@pl.function(type=pl.FunctionType.InCore)
def second(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [0, 0], [config.ROWS, LOCAL])
    return pl.store(t, [0, 0], y)


@pl.function(type=pl.FunctionType.InCore)
def third(x: pl.Tensor[[32, 64], pl.FP16, pl.NZ], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [8, 0], [16, Sizes.WIDE], target_memory=pl.Mem.Mat)
    return y


@pl.function(type=pl.FunctionType.InCore)
def fourth(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [0, 0], [SIXTEEN, 64])
    return pl.store(t, [0, 0], y)


@pl.function(type=pl.FunctionType.Orchestration)
def main(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    y = second(x, y)
    return y
)py";

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

class UnitMemoTest : public ::testing::Test {
protected:
  struct Texts {
    std::string kernels = kKernels;
    std::string config = kConfig;
  };

  static Options optionsOf(const Texts &texts) {
    auto sources = std::make_shared<source::FixedSources>();
    sources->add("config.py", texts.config);
    Options out;
    out.sources = sources;
    return out;
  }
  static source::SourcePtr textOf(const Texts &texts) {
    return std::make_shared<const source::SourceText>("k.py", texts.kernels);
  }

  /// How many kernels the edit compiles again; the results are compared with those of a fresh compiler.
  uint64_t reruns(const Texts &texts) {
    Options options = optionsOf(texts);
    uint64_t before = service_->counters().check;
    CheckResult warm = service_->check(textOf(texts), options, {});
    uint64_t out = service_->counters().check - before;
    CheckResult cold = makeInProcessService()->check(textOf(texts), options, {});
    EXPECT_EQ(warm.diagnostics, cold.diagnostics);
    EXPECT_EQ(warm.counts.kernels, cold.counts.kernels);
    EXPECT_EQ(warm.counts.errors, cold.counts.errors);
    EXPECT_EQ(warm.modulesRead, cold.modulesRead);
    return out;
  }

  /// The edit is made to texts that were checked before.
  uint64_t rerunsOf(const std::string &what, const std::string &with) {
    reruns({});
    return reruns({replaced(kKernels, what, with), kConfig});
  }
  uint64_t rerunsOfConfig(const std::string &what, const std::string &with) {
    reruns({});
    return reruns({kKernels, replaced(kConfig, what, with)});
  }

  std::unique_ptr<CompilerService> service_ = makeInProcessService();
};

TEST_F(UnitMemoTest, TheFirstCheckCompilesEveryKernel) {
  EXPECT_EQ(reruns({}), 6u);
  EXPECT_EQ(reruns({}), 0u);
  EXPECT_EQ(service_->counters().cacheHit, 6u);
}

TEST_F(UnitMemoTest, ACommentOrABlankLineCompilesNothing) {
  EXPECT_EQ(rerunsOf("# The upper half.", "# The half above."), 0u);
  EXPECT_EQ(rerunsOf("LOCAL = 64\n", "LOCAL = 64  # bytes\n\n\n# More.\n"), 0u);
  EXPECT_EQ(rerunsOf("    # The upper half.\n", "\n\n"), 0u);
  EXPECT_EQ(rerunsOf("import config\n", "# Sizes.\nimport config\n"), 0u) << "the fault of `third` moves along";
}

TEST_F(UnitMemoTest, ABodyCompilesItsKernel) {
  EXPECT_EQ(rerunsOf("[config.ROWS, LOCAL]", "[config.ROWS, 32]"), 1u) << "its caller reads its head only";
  EXPECT_EQ(rerunsOf("[8, 0], [16", "[16, 0], [16"), 1u);
}

TEST_F(UnitMemoTest, AHeadCompilesItsCallersToo) {
  EXPECT_EQ(rerunsOf("def second(x: pl.Tensor[[32, 64], pl.FP16]", "def second(x: pl.Tensor[[32, 64], pl.FP32]"), 2u);
}

TEST_F(UnitMemoTest, AnInlinedBodyCompilesWhatItIsPastedInto) {
  EXPECT_EQ(rerunsOf("t = pl.load(x, [0, 0], [16, 64])", "t = pl.load(x, [16, 0], [16, 64])"), 2u);
}

TEST_F(UnitMemoTest, AConstantCompilesItsReaders) {
  EXPECT_EQ(rerunsOf("LOCAL = 64", "LOCAL = 32"), 1u);
  EXPECT_EQ(rerunsOf("LOCAL = 64", "LOCAL = 60 + 4"), 0u) << "the same value";
  EXPECT_EQ(rerunsOf("LOCAL = 64", "OTHER = 1\nLOCAL = 64"), 1u) << "`third` has a fault, and may propose names";
}

TEST_F(UnitMemoTest, AnImportedConstantCompilesItsReaders) {
  EXPECT_EQ(rerunsOfConfig("ROWS = 16", "ROWS = 32"), 1u);
  EXPECT_EQ(rerunsOfConfig("UNUSED = 3", "UNUSED = 4"), 0u);
  EXPECT_EQ(rerunsOfConfig("WIDE = 64", "WIDE = 32"), 1u);
  EXPECT_EQ(rerunsOfConfig("NARROW = 32", "NARROW = 16"), 0u);
  EXPECT_EQ(rerunsOfConfig("n * 2", "n * 4"), 1u);
  EXPECT_EQ(rerunsOfConfig("UNUSED = 3\n", "# Nobody's.\nUNUSED = 3\n\n"), 1u)
      << "the line of `Sizes.WIDE`, which the fault of `third` may name";
}

constexpr const char *kBare = R"py(import pypto.language as pl


@pl.jit.incore
def add(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    t = pl.load(x, [0, 0], [16, 64])
    y = pl.store(t, [0, 0], y)
    return y


@pl.jit
def entry(a: pl.Tensor[[32, 64], pl.FP16], b: pl.Out[pl.Tensor[[32, 64], pl.FP16]]):
    b = add(a, b)
    return b
)py";

TEST_F(UnitMemoTest, WhatCallsSayOfTypesIsRemembered) {
  EXPECT_EQ(reruns({kBare, kConfig}), 2u);
  EXPECT_EQ(reruns({kBare, kConfig}), 0u);
  EXPECT_EQ(reruns({replaced(kBare, "[16, 64]", "[16, 32]"), kConfig}), 1u) << "typed by a caller that is not built";
  EXPECT_EQ(reruns({replaced(kBare, "a: pl.Tensor[[32, 64], pl.FP16]", "a: pl.Tensor[[8, 64], pl.FP16]"), kConfig}),
            2u);
  EXPECT_EQ(reruns({replaced(kBare, "def entry(a: pl.Tensor[[32", "def entry(a: pl.Tensor[[64"), kConfig}), 2u);
}

TEST_F(UnitMemoTest, TheShapesOfEveryCallAreRemembered) {
  std::string text = R"py(import torch
import pypto.language as pl


@pl.jit
def add(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [16, 64])
        y = pl.store(t, [0, 0], y)
    return y


for rows in range(1, 10):
    add(torch.zeros((rows * 16, 64)), torch.zeros((rows * 16, 64)))
)py";
  EXPECT_EQ(reruns({text, kConfig}), 9u);
  EXPECT_EQ(reruns({text, kConfig}), 0u);
}

TEST_F(UnitMemoTest, WhatMayBeProposedCounts) {
  const std::string program = R"py(import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def first(self, x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.load(x, [0, 0], [16, 64])
        return pl.store(t, [0, 0], y)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
        y = self.secund(x, y)
        return y
)py";
  EXPECT_EQ(reruns({program, kConfig}), 2u);
  EXPECT_EQ(reruns({replaced(program, "def first", "def second"), kConfig}), 2u) << "`secund` has a neighbour now";
}

TEST_F(UnitMemoTest, KernelsOfClassesMoveWithTheText) {
  std::string program = "import pypto.language as pl\n";
  for (const char *rows : {"[0, 0], [16", "[24, 0], [16"}) { // the second reads beyond its tensor
    program += std::string("\n\n@pl.program\nclass ") + (rows[1] == '0' ? "P" : "Q") + R"py(:
    @pl.function(type=pl.FunctionType.InCore)
    def first(self, x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.load(x, )py" +
               rows + R"py(, 64])
        return pl.store(t, [0, 0], y)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
        y = self.first(x, y)
        return y
)py";
  }
  EXPECT_EQ(reruns({program, kConfig}), 4u);
  EXPECT_EQ(reruns({replaced(program, "as pl\n", "as pl\n# More.\n\n"), kConfig}), 0u);
  EXPECT_EQ(reruns({replaced(program, "[0, 0], [16", "[16, 0], [16"), kConfig}), 1u)
      << "its caller reads its head only";
}

TEST_F(UnitMemoTest, FaultsInAHelperMoveWithTheHelper) {
  std::string program = replaced(kKernels, "pl.load(x, [0, 0], [16, 64])", "pl.load(x, [24, 0], [16, 64])");
  reruns({program, kConfig});
  EXPECT_FALSE(service_->check(textOf({program, kConfig}), optionsOf({program, kConfig}), {}).diagnostics.empty());
  std::string moved = replaced(program, "LOCAL = 64\n", "LOCAL = 64\n\n# More.\n");
  EXPECT_EQ(reruns({moved, kConfig}), 0u);
  moved = replaced(moved, "    # The upper half.\n", "");
  EXPECT_EQ(reruns({moved, kConfig}), 1u) << "a place of `first` is in its own text, which is another";
  moved = replaced(moved, "    t = pl.load(x, [24", "    # Beyond.\n    t = pl.load(x, [24");
  EXPECT_EQ(reruns({moved, kConfig}), 2u) << "the helper and what it is pasted into";
  std::string twice = program + "\n\n" +
                      program.substr(program.find("@pl.function(type=pl.FunctionType.Inline)"),
                                     program.find("@pl.function(type=pl.FunctionType.InCore)") -
                                         program.find("@pl.function(type=pl.FunctionType.Inline)"));
  reruns({twice, kConfig}); // which of the two is meant cannot be told by their texts
}

TEST_F(UnitMemoTest, UndoingCompilesNothing) {
  EXPECT_EQ(rerunsOf("LOCAL = 64", "LOCAL = 32"), 1u);
  EXPECT_EQ(reruns({}), 0u);
}

TEST_F(UnitMemoTest, ReportsAndCodeMoveWithTheText) {
  Texts texts;
  std::unique_ptr<CompilerService> cold = makeInProcessService();
  service_->inspect(textOf(texts), optionsOf(texts), {});
  service_->lower(textOf(texts), optionsOf(texts), {});
  texts.kernels = replaced(texts.kernels, "LOCAL = 64\n", "LOCAL = 64\n\n# Moves everything below.\n\n");
  uint64_t before = service_->counters().cacheHit;
  InspectResult warm = service_->inspect(textOf(texts), optionsOf(texts), {});
  InspectResult fresh = cold->inspect(textOf(texts), optionsOf(texts), {});
  ASSERT_EQ(warm.kernels.size(), fresh.kernels.size());
  EXPECT_GT(service_->counters().cacheHit, before + 2);
  for (size_t i = 0; i < warm.kernels.size(); ++i) {
    ASSERT_EQ(warm.kernels[i].accesses.size(), fresh.kernels[i].accesses.size());
    for (size_t j = 0; j < warm.kernels[i].accesses.size(); ++j) {
      EXPECT_EQ(warm.kernels[i].accesses[j].range, fresh.kernels[i].accesses[j].range);
    }
    ASSERT_EQ(warm.kernels[i].values.size(), fresh.kernels[i].values.size());
    for (size_t j = 0; j < warm.kernels[i].values.size(); ++j) {
      EXPECT_EQ(warm.kernels[i].values[j].range, fresh.kernels[i].values[j].range);
    }
  }
  before = service_->counters().cacheHit;
  LowerResult lowered = service_->lower(textOf(texts), optionsOf(texts), {});
  LowerResult freshly = cold->lower(textOf(texts), optionsOf(texts), {});
  EXPECT_GT(service_->counters().cacheHit, before + 2);
  ASSERT_EQ(lowered.kernels.size(), freshly.kernels.size());
  for (size_t i = 0; i < lowered.kernels.size(); ++i) {
    EXPECT_EQ(lowered.kernels[i].pto, freshly.kernels[i].pto);
  }
}

} // namespace
} // namespace placid::compiler
