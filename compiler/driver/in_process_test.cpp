// SPDX-License-Identifier: Apache-2.0
// What the driver adds to front end and passes: stopping, and pass names that agree with what runs.
#include "compiler/driver/in_process.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace placid::compiler {
namespace {

constexpr const char *kTwoKernels = R"py(import pypto.language as pl


@pl.function(type=pl.FunctionType.InCore)
def first(x: pl.Tensor[[32, 64], pl.FP16, pl.NZ], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [8, 0], [16, 64], target_memory=pl.Mem.Mat)
    return y


@pl.function(type=pl.FunctionType.InCore)
def second(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [0, 0], [32, 64])
    return pl.store(t, [0, 0], y)
)py";

source::SourcePtr sourceOf(std::string text) {
  return std::make_shared<const source::SourceText>("k.py", std::move(text));
}

class InProcess : public ::testing::Test {
protected:
  std::unique_ptr<CompilerService> service_ = makeInProcessService();
};

TEST_F(InProcess, AStopThatCameBeforeLeavesAPartialResult) {
  std::stop_source stop;
  stop.request_stop();
  CheckResult stopped = service_->check(sourceOf(kTwoKernels), {}, stop.get_token());
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.counts.kernels, 0u);
  EXPECT_TRUE(service_->inspect(sourceOf(kTwoKernels), {}, stop.get_token()).check.stopped);
  EXPECT_TRUE(service_->lower(sourceOf(kTwoKernels), {}, stop.get_token()).check.stopped);

  CheckResult whole = service_->check(sourceOf(kTwoKernels), {}, {});
  EXPECT_FALSE(whole.stopped);
  EXPECT_EQ(whole.counts.kernels, 2u);
  EXPECT_EQ(whole.counts.errors, 1u) << "the offset 8";
}

constexpr const char *kVectorKernel = R"py(import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[32, 64], pl.FP32], y: pl.Out[pl.Tensor[[32, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="core"):
        y[0:32, 0:64] = pl.exp(x[0:32, 0:64])
    return y
)py";

TEST_F(InProcess, InspectShowsWhatAVectorKernelUses) {
  InspectResult shown = service_->inspect(sourceOf(kVectorKernel), {}, {});
  ASSERT_EQ(shown.kernels.size(), 1u);
  EXPECT_TRUE(shown.check.diagnostics.empty());
  ASSERT_EQ(shown.kernels[0].memory.size(), 1u);
  EXPECT_EQ(shown.kernels[0].memory[0].space, "Vec");
  EXPECT_GE(shown.kernels[0].memory[0].used, 32 * 64 * 4);
}

TEST_F(InProcess, ThePlannerIsPartOfWhatIsRemembered) {
  for (const char *planner : {"", "ptoas", "placid", "ptoas"}) {
    Options options;
    options.planner = planner;
    LowerResult lowered = service_->lower(sourceOf(kVectorKernel), options, {});
    ASSERT_EQ(lowered.kernels.size(), 1u) << planner;
    const bool placed = options.planner != "ptoas";
    EXPECT_EQ(lowered.kernels[0].planner, placed ? "placid" : "ptoas");
    EXPECT_EQ(lowered.kernels[0].pto.find("addr = ") != std::string::npos, placed) << lowered.kernels[0].pto;
    EXPECT_EQ(lowered.kernels[0].memory.empty(), !placed);
  }
}

TEST_F(InProcess, AFaultOfOneCoreFunctionLeavesTheOthers) {
  LowerResult lowered = service_->lower(sourceOf(R"py(import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.FP32],
    big: pl.Tensor[[512, 512], pl.FP32],
    n: pl.Tensor,
    y: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    z: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    v: pl.Out[pl.Tensor[[512, 512], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="unknown"):
        y[0:32, 0:64] = pl.add(x[0:32, 0:64], n[0:32, 0:64])
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="large"):
        v[0:512, 0:512] = pl.neg(big[0:512, 0:512])
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="good"):
        z[0:32, 0:64] = pl.neg(x[0:32, 0:64])
    return z
)py"),
                                        {}, {});
  ASSERT_EQ(lowered.kernels.size(), 1u);
  EXPECT_EQ(lowered.kernels[0].name, "good");
  std::vector<std::string> said;
  for (const diag::Diagnostic &d : lowered.check.diagnostics) {
    said.push_back(d.message);
  }
  auto mentions = [&](std::string_view words) {
    return std::any_of(said.begin(), said.end(),
                       [&](const std::string &text) { return text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(mentions("whose shape no call tells"));
  EXPECT_TRUE(mentions("needs 1048576 bytes"));
}

TEST_F(InProcess, AHelperWithoutShapesIsBuiltWhereItIsPastedIn) {
  LowerResult lowered = service_->lower(sourceOf(R"py(import pypto.language as pl


@pl.jit.inline
def proj(a: pl.Tensor, b: pl.Tensor, o: pl.Tensor):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="proj_rows"):
        o[:, :] = pl.matmul(a, b[0:32, :], b_trans=True, out_dtype=pl.FP32)
    return o


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    out = proj(x, w, out)
    return out
)py"),
                                        {}, {});
  EXPECT_TRUE(lowered.check.diagnostics.empty());
  ASSERT_EQ(lowered.kernels.size(), 1u);
  EXPECT_EQ(lowered.kernels[0].name, "proj_rows");
}

TEST_F(InProcess, AnAnnotationOfAnotherModuleHasTheNamesOfThatModule) {
  auto sources = std::make_shared<source::FixedSources>();
  sources->add("shapes.py", R"py(import pypto_pro.language as pl

COLUMNS = 128
Weight = pl.Tensor[[64, COLUMNS], pl.DT_FP16, pl.NZ]
)py");
  Options options;
  options.sources = sources;
  const std::string kernel = R"py(import pypto_pro.language as pl
from shapes import Weight

COLUMNS = 16


@pl.jit
def kern(w: Weight):
    t = pl.TileType(shape=[64, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    a = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0]).current()
    pl.load(a, w, [0, 64])
)py";
  EXPECT_EQ(service_->check(sourceOf(kernel), options, {}).counts.errors, 0u);
  std::string wrong = kernel;
  wrong.replace(wrong.find("[0, 64]"), 7, "[0, 128]");
  EXPECT_EQ(service_->check(sourceOf(wrong), options, {}).counts.errors, 1u);
}

TEST_F(InProcess, InspectionIsForTheArchitectureOfTheKernels) {
  const std::string second = R"py(import pypto_pro.language as pl


@pl.jit
def kern(w: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ]):
    t = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addr=0)
    pl.load(t, w, [0, 0])
)py";
  EXPECT_EQ(service_->inspect(sourceOf(second), {}, {}).arch, "a5");
  std::string declared = second;
  declared.replace(declared.find("@pl.jit"), 7, "@pl.jit(arch=\"a3\")");
  EXPECT_EQ(service_->inspect(sourceOf(declared), {}, {}).arch, "a3");
  Options asked;
  asked.arch = "a2";
  EXPECT_EQ(service_->inspect(sourceOf(second), asked, {}).arch, "a2");
}

TEST_F(InProcess, InspectionShowsTensorsOfRunTimeAndReadingsOfHelpers) {
  const std::string kernel = R"py(import pypto_pro.language as pl


def made(rows):
    t = pl.make_tile(pl.TileType(shape=[rows, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addr=0)
    return t


@pl.jit
def kern(w: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16, pl.NZ]):
    a = made(64)
    b = made(64)
    c = made(128)
    pl.load(c, w, [0, 0])
)py";
  InspectResult result = service_->inspect(sourceOf(kernel), {}, {});
  ASSERT_EQ(result.kernels.size(), 1u);
  const InspectKernel &shown = result.kernels[0];
  ASSERT_EQ(shown.tensors.size(), 1u);
  std::vector<Expr> blocked{int64_t{1}, std::string("ceildiv(w.shape[1], 16)"), std::string("ceildiv(w.shape[0], 16)"),
                            int64_t{16}, int64_t{16}};
  EXPECT_EQ(shown.tensors[0].blocked, blocked);
  std::vector<Expr> strides{std::string("ceildiv(w.shape[1], 16) * align(w.shape[0], 16) * 16"),
                            std::string("align(w.shape[0], 16) * 16"), int64_t{256}, int64_t{16}, int64_t{1}};
  EXPECT_EQ(shown.tensors[0].strides, strides);
  auto types = std::count_if(shown.values.begin(), shown.values.end(),
                             [](const InspectValue &value) { return value.name == "t"; });
  EXPECT_EQ(types, 2);
}

TEST_F(InProcess, RefusedTransfersOfTheSecondDialectHaveNoCoordinates) {
  const std::string kernel = R"py(import pypto_pro.language as pl


@pl.jit
def kern(w: pl.Tensor[[4, 2, 64, 128], pl.DT_FP16, pl.NZ], n: pl.DT_INT64):
    t = pl.make_tile(pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, layout=pl.NZ), addr=0)
    with pl.section_vector():
        for e in pl.range(2):
            pl.load(t, w, [n, e, e * 16, 32])
        pl.store(w, t, [3, 1, 5, 96])
        pl.load(t, w, [0, 0, 0, 8])
        pl.store(w, t, [0, 0, 0, 0], order=[3, 2])
)py";
  InspectResult result = service_->inspect(sourceOf(kernel), {}, {});
  ASSERT_EQ(result.kernels.size(), 1u);
  const std::vector<InspectAccess> &shown = result.kernels[0].accesses;
  ASSERT_EQ(shown.size(), 4u);
  std::vector<Expr> looped{std::string("n * 2 + e"), int64_t{2}, std::string("floordiv(e * 16, 16)"), int64_t{0},
                           int64_t{0}};
  EXPECT_EQ(shown[0].offsets, looped);
  std::vector<Expr> constant{int64_t{7}, int64_t{6}, int64_t{0}, int64_t{5}, int64_t{0}};
  EXPECT_EQ(shown[1].offsets, constant);
  EXPECT_EQ(shown[2].rejected, "pro-nz-offset");
  EXPECT_EQ(shown[3].rejected, "pro-store-order");
  for (size_t i : {2, 3}) {
    EXPECT_TRUE(shown[i].offsets.empty() && shown[i].sizes.empty() && shown[i].tile.empty());
  }
}

TEST_F(InProcess, MessagesOfTheSecondDialectUseTheNameOfTheFile) {
  const std::string kernel = R"py(import pypto_pro.language as pto


@pto.jit
def kern(w: pto.Tensor[[64, 64], pto.DT_FP16, pto.ZN]):
    pass
)py";
  CheckResult result = service_->check(sourceOf(kernel), {}, {});
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_NE(result.diagnostics[0].message.find("give `layout=pto.ZN`"), std::string::npos);
  EXPECT_EQ(result.diagnostics[0].message.find("pl."), std::string::npos);
}

TEST_F(InProcess, FixesOfTheSecondDialectDoNotLeadToTheNextFault) {
  auto fixes = [&](const std::string &tensor, const std::string &type) {
    std::string text = "import pypto_pro.language as pl\n\n\n@pl.jit\ndef kern(w: pl.Tensor[" + tensor +
                       "]):\n    t = pl.make_tile(pl.TileType(" + type + "), addr=0)\n    pl.load(t, w, [0, 0])\n";
    CheckResult result = service_->check(sourceOf(text), {}, {});
    EXPECT_EQ(result.counts.errors, 1u) << text;
    return result.diagnostics.empty() ? std::vector<diag::Fix>() : result.diagnostics[0].fixes;
  };
  EXPECT_EQ(fixes("[64, 64], pl.DT_FP32, pl.NZ", "shape=[64, 1], dtype=pl.DT_FP32, layout=pl.DN").size(), 0u);
  EXPECT_EQ(fixes("[64, 64], pl.DT_FP32, pl.NZ", "shape=[64, 8], dtype=pl.DT_FP32, layout=pl.ND").size(), 1u);
}

TEST_F(InProcess, AKernelOfTheSecondDialectIsLoweredOrSaysWhyNot) {
  const std::string kernel = R"py(import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[pl.DYNAMIC, 128], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 128], pl.DT_FP32]):
    t = pl.TileType(shape=[16, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0]).current()
    with pl.section_vector():
        for i in pl.range(x.shape[0] // 16):
            pl.load_tile(a, x, [i, 0])
            pl.exp(a, a)
            pl.store_tile(y, a, [i, 0])
)py";
  LowerResult lowered = service_->lower(sourceOf(kernel), {}, {});
  EXPECT_EQ(lowered.check.counts.errors, 0u);
  ASSERT_EQ(lowered.kernels.size(), 1u);
  EXPECT_EQ(lowered.kernels[0].coreType, "aiv");
  EXPECT_NE(lowered.kernels[0].pto.find("pto.texp"), std::string::npos);

  std::string refused = kernel;
  refused.replace(refused.find("pl.exp(a, a)"), 12, "pl.trap()");
  LowerResult none = service_->lower(sourceOf(refused), {}, {});
  EXPECT_TRUE(none.kernels.empty());
  ASSERT_EQ(none.check.diagnostics.size(), 1u);
  const diag::Diagnostic &d = none.check.diagnostics[0];
  EXPECT_EQ(d.at.range.begin, refused.find("pl.trap()"));
  EXPECT_NE(d.message.find("C++ for bisheng, is the only one"), std::string::npos) << d.message;
  EXPECT_EQ(service_->check(sourceOf(refused), {}, {}).diagnostics.size(), 0u);
}

TEST_F(InProcess, ACalleeOfAnotherModuleIsShownInItsOwnText) {
  auto sources = std::make_shared<source::FixedSources>();
  sources->add("helpers.py", R"py(import pypto.language as pl


@pl.jit.inline
def take(w: pl.Tensor[[64, 64], pl.FP32]):
    return w
)py");
  Options options;
  options.sources = sources;
  CheckResult checked = service_->check(sourceOf(R"py(import pypto.language as pl
from helpers import take


@pl.jit
def kern(x: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]):
    w = take(x)
    v = take(x, x)
    return out
)py"),
                                        options, {});
  ASSERT_EQ(checked.diagnostics.size(), 2u);
  for (const diag::Diagnostic &d : checked.diagnostics) {
    EXPECT_EQ(d.at.path, "k.py");
    ASSERT_FALSE(d.related.empty()) << d.message;
    EXPECT_EQ(d.related.front().at.path, "helpers.py") << d.message;
  }
}

/// Each name of a type means what it means where the type is written, whatever the kernel's module calls so.
TEST_F(InProcess, AnImportedTypeKeepsItsNames) {
  auto sources = std::make_shared<source::FixedSources>();
  sources->add("shapes.py", "import pypto.language as pl\n\nN = 64\nT = pl.Tensor[[N, 64], pl.FP16]\n");
  Options options;
  options.sources = sources;
  auto check = [&](const std::string &bound, const std::string &offset) {
    std::string text = "import pypto.language as pl\nfrom shapes import T\n" + bound + R"py(

@pl.jit.incore
def kern(x: T, y: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    t = pl.load(x, [)py" +
                       offset + ", 0], [64, 64])\n    y = pl.store(t, [0, 0], y)\n    return y\n";
    std::string said;
    for (const diag::Diagnostic &d : service_->check(sourceOf(std::move(text)), options, {}).diagnostics) {
      said += d.at.path + " " + d.message + "\n";
    }
    return said;
  };
  EXPECT_EQ(check("", "0"), "");
  EXPECT_EQ(check("N = 128\n", "0"), "");
  EXPECT_EQ(check("N = 128\n", "64"), "k.py the window ends at 128 on axis 0 of `x`, which has extent 64\n");
}

TEST_F(InProcess, ADeclarationIsShownInItsOwnTextFromAHelperOfAnother) {
  auto sources = std::make_shared<source::FixedSources>();
  sources->add(
      "helpers.py",
      R"py(# Longer than the entry, so that no offset of one fits the other by chance: .........................................
import pypto.language as pl


@pl.jit.inline
def part(w):
    return w[0:500, 0:64]
)py");
  Options options;
  options.sources = sources;
  constexpr const char *kText = R"py(import pypto.language as pl
from helpers import part


@pl.jit.incore
def kern(x: pl.Tensor[[192, 64], pl.FP16, pl.NZ], y: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    q = part(x)
    return y
)py";
  CheckResult checked = service_->check(sourceOf(kText), options, {});
  ASSERT_FALSE(checked.diagnostics.empty());
  bool declared = false;
  for (const diag::Related &related : checked.diagnostics.front().related) {
    if (related.message.ends_with("is declared here")) {
      declared = true;
      EXPECT_EQ(related.at.path, "k.py");
      EXPECT_EQ(std::string(kText).substr(related.at.range.begin, related.at.range.end - related.at.range.begin),
                "pl.NZ");
    }
  }
  EXPECT_TRUE(declared);
}

TEST_F(InProcess, PassNamesAreThePassesThatRun) {
  IrRequest request;
  request.all = true;
  request.kernel = "second";
  IrResult all = service_->ir(sourceOf(kTwoKernels), {}, request, {});
  std::vector<std::string> ran;
  for (const IrUnit &unit : all.units) {
    ran.push_back(unit.pass);
  }
  EXPECT_EQ(ran, service_->passNames());
  for (const Phase &phase : kPhases) {
    EXPECT_NE(std::find(ran.begin(), ran.end(), phase.lastPass), ran.end()) << phase.name;
  }
}

TEST_F(InProcess, RestingAndRememberingDoNotShow) {
  CheckResult first = service_->check(sourceOf(kTwoKernels), {}, {});
  EXPECT_EQ(first.counts.errors, 1u);
  service_->rest();
  service_->rest();
  std::unique_ptr<CompilerService> forgetful = makeInProcessService(/*remembers=*/false);
  for (CompilerService *service : {service_.get(), forgetful.get(), forgetful.get()}) {
    EXPECT_EQ(service->check(sourceOf(kTwoKernels), {}, {}).diagnostics, first.diagnostics);
  }
  EXPECT_EQ(forgetful->counters().check, 4u);
  EXPECT_EQ(forgetful->counters().cacheHit, 0u);
  EXPECT_EQ(service_->counters().cacheHit, 2u);
}

} // namespace
} // namespace placid::compiler
