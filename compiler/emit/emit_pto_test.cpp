// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/emit/emit_pto.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using ::testing::HasSubstr;
using ::testing::Not;

namespace placid::emit {
namespace {

constexpr const char *kModule = R"mlir(
module attributes {pl.arch = "a5"} {
  func.func @copy(%n: i32 {pl.name = "n"},
                  %x: !pl.tensor<[B, 16, 64] x f16> {pl.name = "x", pl.dir = "in"},
                  %w: !pl.tensor<[6, 4, 2, 16, 16] x f16, nz> {pl.name = "w", pl.dir = "in", pl.logical = [2, 3, 32, 64]},
                  %v: !pl.tensor<[1, 4, 2, 16, 16] x f16, nz> {pl.name = "v", pl.dir = "in"},
                  %y: !pl.tensor<[B, 16, 64] x f16> {pl.name = "y", pl.dir = "out"})
      attributes {pl.kind = "incore", pl.entry = "Prog.copy"} {
    %t = pl.tile.load %x[0, 0, 0] sizes [1, 16, 64] : !pl.tensor<[B, 16, 64] x f16> -> !pl.tile<16x64xf16, vec> loc("k.py":2:10)
    %s = pl.tile.store %t into %y[0, 0, 0] sizes [1, 16, 64] : !pl.tile<16x64xf16, vec>, !pl.tensor<[B, 16, 64] x f16> -> !pl.tensor<[B, 16, 64] x f16> loc("other.py":3:7)
    return loc("k.py":9:4)
  } loc("k.py":1:1)
}
)mlir";

class EmitPto : public ::testing::Test {
protected:
  EmitPto() {
    context_.loadDialect<pl::PlDialect, pto::PtoDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  }

  std::vector<compiler::LoweredKernel> lower(const TextOptions &options) {
    module_ = parseSourceString<ModuleOp>(kModule, &context_);
    PassManager pm(&context_);
    pm.addPass(pl::createInferTileMemorySpace());
    pm.addPass(pl::createAllocateMemoryAddr());
    pm.addPass(conversion::createConvertPlToPto());
    EXPECT_TRUE(module_ && succeeded(pm.run(*module_)));
    return emitPto(*module_, options);
  }

  MLIRContext context_;
  OwningOpRef<ModuleOp> module_;
};

TEST_F(EmitPto, DescribesTheSignatureInCallOrder) {
  std::vector<compiler::LoweredKernel> kernels = lower({});
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "copy");
  EXPECT_EQ(kernels[0].entry, "Prog.copy");
  EXPECT_EQ(kernels[0].coreType, "aiv");
  EXPECT_THAT(kernels[0].pto, HasSubstr("module attributes {pto.target_arch = \"a5\"} {"));
  using E = std::vector<compiler::Expr>;
  const auto &arguments = kernels[0].arguments;
  ASSERT_EQ(arguments.size(), 6u);
  EXPECT_EQ(arguments[0].name, "x");
  EXPECT_EQ(arguments[0].kind, "tensor");
  EXPECT_EQ(arguments[0].direction, "in");
  EXPECT_EQ(arguments[0].dtype, "FP16");
  EXPECT_EQ(arguments[0].layout, "ND");
  EXPECT_EQ(arguments[0].shape, (E{"B", int64_t{16}, int64_t{64}}));
  EXPECT_TRUE(arguments[0].blocked.empty());
  // The declared shape is known where the declaration came along, else read back from the blocked form.
  EXPECT_EQ(arguments[1].layout, "NZ");
  EXPECT_EQ(arguments[1].shape, (E{int64_t{2}, int64_t{3}, int64_t{32}, int64_t{64}}));
  EXPECT_EQ(arguments[1].blocked, (E{int64_t{6}, int64_t{4}, int64_t{2}, int64_t{16}, int64_t{16}}));
  EXPECT_EQ(arguments[2].shape, (E{int64_t{32}, int64_t{64}}));
  EXPECT_EQ(arguments[3].name, "y");
  EXPECT_EQ(arguments[3].direction, "out");
  EXPECT_EQ(arguments[4].name, "n");
  EXPECT_EQ(arguments[4].kind, "scalar");
  EXPECT_EQ(arguments[4].dtype, "INT32");
  EXPECT_EQ(arguments[5].name, "B");
  EXPECT_EQ(arguments[5].kind, "extent");
  EXPECT_EQ(arguments[5].dtype, "INDEX");
}

TEST_F(EmitPto, ColumnsCountCharactersWhereTheTextIsKnown) {
  // Line 2 has a two-byte and a four-byte character before byte column 10.
  auto text = std::make_shared<source::SourceText>("k.py", "def f():\n\xC3\xA9\xF0\x9F\x98\x80x = load()\n");
  TextOptions options;
  options.lookup = [&](const std::string &path) { return path == "k.py" ? text : nullptr; };
  std::string pto = lower(options)[0].pto;
  EXPECT_THAT(pto, HasSubstr("loc(\"k.py\":2:6)"));
  EXPECT_THAT(pto, HasSubstr("loc(\"other.py\":3:7)"));
  EXPECT_THAT(pto, HasSubstr("return loc(\"k.py\":9:1)")); // past the end of the text: clamped
  EXPECT_THAT(lower({})[0].pto, HasSubstr("loc(\"k.py\":2:10)"));
}

TEST_F(EmitPto, LocationsCanBeLeftOut) {
  EXPECT_THAT(lower({.locations = false, .lookup = {}})[0].pto, Not(HasSubstr("loc(")));
}

TEST_F(EmitPto, TheTextReadsBackAsTheModule) {
  std::string text = lower({})[0].pto;
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, &context_);
  ASSERT_TRUE(again);
  auto names = [](ModuleOp module) {
    std::vector<std::string> out;
    module.walk([&](Operation *op) { out.push_back(op->getName().getStringRef().str()); });
    return out;
  };
  EXPECT_EQ(names(*again), names(*module_));
}

TEST_F(EmitPto, TheSameInputGivesTheSameBytes) { EXPECT_EQ(lower({})[0].pto, lower({})[0].pto); }

} // namespace
} // namespace placid::emit
