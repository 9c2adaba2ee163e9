// SPDX-License-Identifier: Apache-2.0
// Programs of several modules: what imports bring, what they may change, and what Python would refuse.
#include "compiler/frontend/module_cache.h"
#include "compiler/frontend/program.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

using Files = std::map<std::string, std::string>;

struct Checked {
  ModuleCache cache;
  std::unique_ptr<Program> program;

  Checked(const Files &files, const std::string &entry, std::vector<std::string> roots = {}) {
    auto sources = std::make_shared<source::FixedSources>();
    for (const auto &[path, text] : files) {
      sources->add(path, text);
    }
    ProgramOptions options;
    options.sources = sources;
    options.cache = &cache;
    options.roots = std::move(roots);
    options.folder = "/w";
    program = buildProgram(syntax::Parser().parse(sources->load(entry)), options);
  }
  std::string value(const std::string &name) const {
    const Binding *found = program->scopes.front().find(name);
    return found ? show(found->value) : "unbound";
  }
  std::string why(const std::string &name) const {
    const Binding *found = program->scopes.front().find(name);
    return found && found->value.isUnknown() ? found->value.text : "known";
  }
  std::string faults() const {
    std::string out;
    for (const diag::Diagnostic &d : program->diagnostics) {
      out += (out.empty() ? "" : "\n") + diag::codeName(d.code) + " " + d.message;
    }
    return out;
  }
  std::string kernels() const {
    std::string out;
    for (const KernelDecl &kernel : program->kernels) {
      out += (out.empty() ? "" : " ") + kernel.qualifiedName;
    }
    return out;
  }
};

const char *const kConfig = R"(
from dataclasses import dataclass, replace

@dataclass(frozen=True)
class Model:
    hidden: int = 4096
    heads: int = 32

    @property
    def head_dim(self):
        return self.hidden // self.heads

BASE = Model()
WIDE = replace(BASE, hidden=8192)
TILE = 16
)";

TEST(Modules, ImportsBringValuesWithTheirOrigin) {
  Checked made({{"m/config.py", kConfig},
                {"m/k.py", "from config import WIDE, TILE as T\nimport config as c\nD = WIDE.head_dim\n"
                           "E = c.BASE.head_dim + T\n"}},
               "m/k.py");
  EXPECT_EQ(made.value("D"), "256");
  EXPECT_EQ(made.value("E"), "144");
  EXPECT_EQ(made.faults(), "");
  const Binding *tile = made.program->scopes.front().find("T");
  ASSERT_TRUE(tile);
  EXPECT_EQ(originText(*tile), "config.py:15");
  EXPECT_EQ(tile->range.begin, 0U) << "bound by the import statement";
  EXPECT_EQ(made.program->modulesRead, std::vector<std::string>{"m/config.py"});
}

TEST(Modules, AModuleThatDoesNotParseIsToldWhereItIsImported) {
  Checked made({{"sizes.py", "N = = 64\nM = 32\n"}, {"k.py", "import os\nfrom sizes import M\n"}}, "k.py");
  ASSERT_EQ(made.program->diagnostics.size(), 1U) << made.faults();
  const diag::Diagnostic &d = made.program->diagnostics[0];
  EXPECT_NE(d.message.find("SyntaxError"), std::string::npos) << d.message;
  EXPECT_EQ(d.severity, diag::Severity::Warning);
  EXPECT_EQ(d.at.path, "k.py");
  EXPECT_EQ(d.at.range.begin, 10U);
  ASSERT_EQ(d.related.size(), 1U);
  EXPECT_EQ(d.related[0].at.path, "sizes.py");
  EXPECT_EQ(made.value("M"), "32") << "the rest is read";
}

TEST(Modules, RelativeImportsAndPackages) {
  Files files{{"p/__init__.py", "VERSION = 3\n"},
              {"p/sizes.py", "ROWS = 64\n"},
              {"p/inner/__init__.py", ""},
              {"p/inner/k.py",
               "from ..sizes import ROWS\nfrom .. import sizes, VERSION\nfrom p.sizes import ROWS as R\n"
               "X = sizes.ROWS + VERSION\n"}};
  Checked made(files, "p/inner/k.py");
  EXPECT_EQ(made.value("ROWS"), "64");
  EXPECT_EQ(made.value("X"), "67");
  EXPECT_EQ(made.value("R"), "64") << "the folder around the package is a root";
  EXPECT_EQ(made.faults(), "");
}

TEST(Modules, EditsOfTheSearchPath) {
  Checked made({{"lib/shared/sizes.py", "N = 5\n"},
                {"models/k.py", "import sys\nfrom pathlib import Path\n"
                                "sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'lib' / 'shared'))\n"
                                "from sizes import N\n"}},
               "models/k.py");
  EXPECT_EQ(made.value("N"), "5");
  EXPECT_EQ(made.program->modulesRead, std::vector<std::string>{"lib/shared/sizes.py"});
}

TEST(Modules, AnEntryMayChangeAModuleBeforeOthersReadIt) {
  Files files{{"config.py", "RANKS = 8\n"},
              {"moe.py", "from config import RANKS\nTOKENS = RANKS * 128\n"},
              {"a.py", "import config\nconfig.RANKS = 2\nfrom moe import TOKENS\n"},
              {"b.py", "from moe import TOKENS\n"}};
  EXPECT_EQ(Checked(files, "a.py").value("TOKENS"), "256");
  EXPECT_EQ(Checked(files, "b.py").value("TOKENS"), "1024") << "nothing stays from another entry";
}

TEST(Modules, WhatIsNotFoundIsUnknownWithItsChain) {
  Checked made({{"config.py", "import measured\nROWS = measured.rows() * 2\n"}, {"k.py", "from config import ROWS\n"}},
               "k.py");
  EXPECT_EQ(made.value("ROWS"), "an unknown value");
  EXPECT_EQ(made.why("ROWS"), "it comes from the module `measured`, which is not found (config.py:1)");
  EXPECT_EQ(made.faults(), "") << "it may be installed elsewhere";
}

TEST(Modules, WhatPythonWouldRefuseIsTold) {
  EXPECT_EQ(Checked({{"p/__init__.py", ""}, {"p/k.py", "from .tiling import T\n"}}, "p/k.py").faults(),
            "PL2050 `.tiling` is imported, but `p/tiling.py` does not exist");
  EXPECT_EQ(Checked({{"config.py", "TILE = 1\n"}, {"k.py", "from config import TILES\n"}}, "k.py").faults(),
            "PL2052 `config` has no `TILES`");
  EXPECT_EQ(
      Checked({{"a.py", "from b import X\nY = 1\n"},
               {"b.py", "from c import Y\nX = 2\n"},
               {"c.py", "from b import X\nY = 3\n"}},
              "a.py")
          .faults(),
      "PL2051 `X` cannot be imported from `b` yet: the two modules import each other, and `X` is bound after that");
  EXPECT_EQ(Checked({{"k.py", "A = 1\nassert A == 2, f'A is {A}'\nB = A\n"}}, "k.py").faults(),
            "PL2053 the Python here raises: AssertionError: A is 1");
  EXPECT_EQ(Checked({{"k.py", "import os\nif os.getenv('X') is None:\n    raise ValueError('set X')\n"}}, "k.py")
                .program->diagnostics.at(0)
                .severity,
            diag::Severity::Warning)
      << "another environment may not lead there";
  EXPECT_EQ(
      Checked({{"config.py", kConfig}, {"k.py", "from config import BASE\nN = BASE.hiden\nM = BASE.hidden\n"}}, "k.py")
          .value("M"),
      "4096")
      << "the rest of the module is still read";
}

TEST(Modules, KernelsOfOtherModulesAreTheirOwn) {
  const std::string helper = "import pypto.language as pl\nN = 3\n@pl.jit.inline\ndef helper(x):\n    pass\n";
  Checked made({{"h.py", helper},
                {"k.py", "import pypto.language as pl\nfrom h import helper as help_me\nimport h\n"
                         "N = 4\n@pl.jit\ndef entry(x):\n    pass\n"}},
               "k.py");
  EXPECT_EQ(made.kernels(), "entry");
  ASSERT_EQ(made.program->imported.size(), 1U);
  const KernelDecl &kernel = made.program->imported.front();
  EXPECT_EQ(kernel.module->source->path, "h.py");
  EXPECT_EQ(show(kernel.scope->find("N")->value), "3");
  const Binding *bound = made.program->scopes.front().find("help_me");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->value.kernel, &kernel);
}

TEST(Modules, FactoriesMakeAKernelEachTime) {
  Checked made({{"k.py", R"(
import pypto.language as pl

def make(rows):
    width = rows * 2
    @pl.jit
    def kern(x):
        pass
    return kern

small = make(16)
large = make(rows=64)
)"}},
               "k.py");
  EXPECT_EQ(made.kernels(), "kern kern_2");
  EXPECT_EQ(show(made.program->kernels[0].scope->find("width")->value), "32");
  EXPECT_EQ(show(made.program->kernels[1].scope->find("width")->value), "128");
}

TEST(Modules, AKernelKeepsTheVariablesOfABuilderThatMainCalls) {
  Checked made(
      {{"k.py", "import pypto.language as pl\nLIMIT = 1\n\ndef build(rows):\n    width = rows * 2\n    @pl.jit\n"
                "    def kern(x):\n        pass\n    return kern\n\n"
                "if __name__ == '__main__':\n    LIMIT = 2\n    build(8)\n"}},
      "k.py");
  ASSERT_EQ(made.kernels(), "kern");
  ASSERT_TRUE(made.program->kernels[0].scope->find("width"));
  EXPECT_EQ(show(made.program->kernels[0].scope->find("width")->value), "16");
  EXPECT_EQ(made.value("LIMIT"), "1") << "what main binds is taken back";
}

TEST(Modules, CallsGiveShapes) {
  Checked made({{"k.py", R"(
import torch
import pypto.language as pl

@pl.jit
def add(a: pl.Tensor, b: pl.Tensor, n: pl.Scalar[pl.INT32]):
    pass

def main():
    a = torch.randn(64, 32, dtype=torch.float16)
    b = torch.zeros((64, 32)).to(torch.bfloat16)
    add(a, b, n=3)

if __name__ == "__main__":
    main()
)"}},
               "k.py");
  ASSERT_EQ(made.program->calls.size(), 1U);
  const EntryCall &call = made.program->calls[0];
  EXPECT_EQ(call.kernel, &made.program->kernels[0]);
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(call.arguments[0].shape, (std::vector<std::optional<int64_t>>{64, 32}));
  EXPECT_EQ(call.arguments[0].dtype, pl::DType::F16);
  EXPECT_EQ(call.arguments[1].dtype, pl::DType::BF16);
  EXPECT_EQ(call.arguments[2].name, "n");
  EXPECT_EQ(call.arguments[2].scalar.integer, 3);
  EXPECT_FALSE(call.guarded);
}

TEST(Modules, CallsThatMayBeExpectedToFail) {
  Checked made({{"k.py", R"(
import pytest
import torch
import pypto.language as pl

@pl.jit
def add(a: pl.Tensor):
    pass

class Ends:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return True

a = torch.zeros((64, 64))
with pytest.raises(ValueError):
    add(a)
with Ends():
    add(a)
try:
    add(a)
except ValueError:
    pass
add(a)
)"}},
               "k.py");
  std::vector<bool> guarded;
  for (const EntryCall &call : made.program->calls) {
    guarded.push_back(call.guarded);
  }
  EXPECT_EQ(guarded, (std::vector<bool>{true, true, true, false}));
}

} // namespace
} // namespace placid::frontend
