// SPDX-License-Identifier: Apache-2.0
// The type rules of operations, through the front end: what a call becomes, and what is said where its operands do not
// fit. Every operand of the kernel below has a name that says what it is.
#include "compiler/frontend/kernel_builder.h"
#include "compiler/syntax/parse.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

constexpr const char *kPrologue = R"(import pypto.language as pl
import pypto.language.distributed as pld

M = pl.dynamic("M")


@pl.jit.incore
def kern(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
    h: pl.Tensor[[64, 128], pl.FP16],
    b: pl.Tensor[[64, 128], pl.BF16],
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
    u: pl.Tensor[[64, 128], pl.UINT32],
    row: pl.Tensor[[1, 128], pl.FP32],
    col: pl.Tensor[[64, 1], pl.FP32],
    cube: pl.Tensor[[4, 64, 128], pl.FP32],
    m: pl.Tensor[[M, 128], pl.FP32],
    dist: pld.DistributedTensor[[64, 128], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    n32: pl.Scalar[pl.INT32],
    s: pl.Scalar[pl.FP32],
):
    tf = pl.load(f, [0, 0], [64, 128])
    tg = pl.load(g, [0, 0], [64, 128])
    th = pl.load(h, [0, 0], [64, 128])
    ti = pl.load(i, [0, 0], [64, 128])
    tu = pl.load(u, [0, 0], [64, 128])
    trow = pl.load(row, [0, 0], [1, 128])
    tcol = pl.load(col, [0, 0], [64, 1])
    tlive = pl.load(f, [0, 0], [64, 128], valid_shape=[40, n])
    left = pl.move(pl.load(h, [0, 0], [64, 128], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left)
)";

struct Built {
  std::string ir; ///< Of the last operation that is no constant and no return.
  std::string said;
};

Built build(const std::string &statement) {
  std::string text = kPrologue + ("    " + statement) + "\n";
  auto program =
      buildProgram(syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", text)), ProgramOptions());
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<pl::PlDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect>();
  std::vector<diag::Diagnostic> diagnostics = program->diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      KernelBuilder(*program, program->kernels.front(), "a3", &context, diagnostics).build();
  Built out;
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module))) << statement;
  std::string last; // names are looked at before the statement is: what both say counts once
  for (const diag::Diagnostic &d : diagnostics) {
    std::string one = std::string(diag::find(d.code)->slug) + " at `" +
                      text.substr(d.at.range.begin, d.at.range.end - d.at.range.begin) + "`: " + d.message;
    if (one != last) {
      out.said += (out.said.empty() ? "" : " && ") + one;
    }
    last = std::move(one);
  }
  module->walk([&](pl::GenericOp op) {
    llvm::raw_string_ostream stream(out.ir);
    out.ir.clear();
    op->print(stream, mlir::OpPrintingFlags().useLocalScope());
  });
  return out;
}

struct Accepted {
  const char *statement;
  const char *op;      ///< `pl.op "…"`
  const char *results; ///< After the arrow.
};

void PrintTo(const Accepted &row, std::ostream *out) { *out << row.statement; }

class Accepts : public ::testing::TestWithParam<Accepted> {};

TEST_P(Accepts, WithExactTypes) {
  Built made = build(GetParam().statement);
  EXPECT_EQ(made.said, "") << GetParam().statement;
  EXPECT_NE(made.ir.find("pl.op \"" + std::string(GetParam().op) + "\""), std::string::npos)
      << GetParam().statement << '\n'
      << made.ir;
  EXPECT_TRUE(made.ir.ends_with("-> " + std::string(GetParam().results))) << GetParam().statement << '\n' << made.ir;
}

constexpr Accepted kElementwise[] = {
    {"r = pl.add(f, g)", "tensor.add", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.add(f, row)", "tensor.add", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.mul(row, col)", "tensor.mul", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.add(cube, f)", "tensor.add", "!pl.tensor<[4, 64, 128] x f32>"},
    {"r = pl.add(m, row)", "tensor.add", "!pl.tensor<[M, 128] x f32>"},
    {"r = pl.add(m, f)", "tensor.add", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.add(b, f)", "tensor.add", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.add(i, b)", "tensor.add", "!pl.tensor<[64, 128] x bf16>"},
    {"r = pl.add(u, i)", "tensor.add", "!pl.tensor<[64, 128] x i32>"},
    {"r = pl.add(dist, f)", "tensor.add", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.mul(b, 2.0)", "tensor.muls", "!pl.tensor<[64, 128] x bf16>"},
    {"r = pl.mul(b, 2)", "tensor.muls", "!pl.tensor<[64, 128] x bf16>"},
    {"r = pl.mul(i, 2.0)", "tensor.muls", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.mul(i, n32)", "tensor.muls", "!pl.tensor<[64, 128] x i32>"},
    {"r = pl.maximum(f, 0.0)", "tensor.maximum", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.sub(f, s)", "tensor.subs", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.div(f, g, high_precision=True)", "tensor.div", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.cmp(f, g, cmp_type=4)", "tensor.cmp", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.tile.add(tf, tg)", "tile.add", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.add(tf, trow)", "tile.add", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.add(tlive, tf)", "tile.add", "!pl.tile<64x128xf32, vec, valid = [40, ?]>"},
    {"r = pl.mul(tf, 2)", "tile.muls", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.maximums(tf, 1.0)", "tile.maximums", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.div(tf, tg)", "tile.div", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.cmp(tf, tg, cmp_type=2)", "tile.cmp", "!pl.tile<64x32xui8, vec, valid = [64, 16]>"},
    {"r = pl.cmps(tf, 0.0, cmp_type='gt')", "tile.cmps", "!pl.tile<64x32xui8, vec, valid = [64, 16]>"},
    {"r = pl.and_(i, 3)", "tensor.ands", "!pl.tensor<[64, 128] x i32>"},
    {"r = pl.shl(ti, ti)", "tile.shl", "!pl.tile<64x128xi32, vec>"},
    {"r = pl.shrs(ti, n32)", "tile.shrs", "!pl.tile<64x128xi32, vec>"},
    {"r = pl.not_(ti)", "tile.not_", "!pl.tile<64x128xi32, vec>"},
    {"r = pl.tile.sels(pl.tile.cmps(ti, 0, cmp_type=4), ti, pl.create_tile([1, 32], dtype=pl.UINT8), -3)", "tile.sels",
     "!pl.tile<64x128xi32, vec>"},
    {"r = pl.addc(tf, tg, tf)", "tile.addc", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.sel(pl.cmps(tf, 0.0), tf, tg, tg)", "tile.sel", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.expands(f, 1.0)", "tensor.expands", "!pl.tensor<[64, 128] x f32>"},
};
INSTANTIATE_TEST_SUITE_P(Elementwise, Accepts, ::testing::ValuesIn(kElementwise));

constexpr Accepted kUnary[] = {
    {"r = pl.cast(f, pl.BF16)", "tensor.cast", "!pl.tensor<[64, 128] x bf16>"},
    {"r = pl.cast(f, target_type=pl.INT32, mode='rint')", "tensor.cast", "!pl.tensor<[64, 128] x i32>"},
    {"r = pl.cast(tlive, pl.FP16, mode=5)", "tile.cast", "!pl.tile<64x128xf16, vec, valid = [40, ?]>"},
    {"r = pl.exp(i)", "tensor.exp", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.exp(th)", "tile.exp", "!pl.tile<64x128xf16, vec>"},
    {"r = pl.neg(i)", "tensor.neg", "!pl.tensor<[64, 128] x i32>"},
    {"r = pl.log(h)", "tensor.log", "!pl.tensor<[64, 128] x f16>"},
    {"r = pl.rsqrt(f, high_precision=True)", "tensor.rsqrt", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.sin(tf)", "tile.sin", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.relu(tf)", "tile.relu", "!pl.tile<64x128xf32, vec>"},
};
INSTANTIATE_TEST_SUITE_P(Unary, Accepts, ::testing::ValuesIn(kUnary));

constexpr Accepted kReductions[] = {
    {"r = pl.row_sum(cube)", "tensor.row_sum", "!pl.tensor<[4, 64, 1] x f32>"},
    {"r = pl.row_max(m)", "tensor.row_max", "!pl.tensor<[M, 1] x f32>"},
    {"r = pl.row_max(tlive, tf)", "tile.row_max", "!pl.tile<64x1xf32, vec, valid = [40, 1]>"},
    {"r = pl.col_sum(f)", "tensor.col_sum", "!pl.tensor<[1, 128] x f32>"},
    {"r = pl.col_max(tf)", "tile.col_max", "!pl.tile<1x128xf32, vec>"},
    {"r = pl.row_argmax(f)", "tensor.row_argmax", "!pl.tensor<[64, 1] x i32>"},
    {"r = pl.col_argmin(tf, tg)", "tile.col_argmin", "!pl.tile<1x128xi32, vec>"},
    {"r = pl.row_expand_mul(f, col)", "tensor.row_expand_mul", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.col_expand_sub(tf, trow)", "tile.col_expand_sub", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.col_expand_mul(h, row)", "tensor.col_expand_mul", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.row_expand_div(m, col)", "tensor.row_expand_div", "!pl.tensor<[M, 128] x f32>"},
};
INSTANTIATE_TEST_SUITE_P(Reductions, Accepts, ::testing::ValuesIn(kReductions));

constexpr Accepted kShapes[] = {
    {"r = pl.full([16, 32], dtype=pl.FP32, value=0.0)", "tensor.full", "!pl.tensor<[16, 32] x f32>"},
    {"r = pl.tile.full([16, 32], pl.INT32, 7)", "tile.full", "!pl.tile<16x32xi32, vec>"},
    {"r = pl.arange(0, [1, 64])", "tensor.arange", "!pl.tensor<[1, 64] x i32>"},
    {"r = pl.tile.arange(n32, [1, 64], dtype=pl.INT32)", "tile.arange", "!pl.tile<1x64xi32, vec>"},
    {"r = pl.fillpad(tlive, pl.PadValue.min)", "tile.fillpad", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.fillpad_expand(tf, [64, 256])", "tile.fillpad_expand", "!pl.tile<64x256xf32, vec>"},
    {"r = pl.set_validshape(tf, 8, n)", "tile.set_validshape", "!pl.tile<64x128xf32, vec, valid = [8, ?]>"},
    {"r = pl.slice(tf, [16, 128], [n, 0])", "tile.slice", "!pl.tile<16x128xf32, vec>"},
    {"r = pl.slice(tlive, [64, 16], [0, 16])", "tile.slice", "!pl.tile<64x16xf32, vec, valid = [40, ?]>"},
    {"r = pl.concat(f, g)", "tensor.concat", "!pl.tensor<[64, 256] x f32>"},
    {"r = pl.concat(m, m)", "tensor.concat", "!pl.tensor<[M, 256] x f32>"},
    {"r = pl.transpose(cube, -1, 0)", "tensor.transpose", "!pl.tensor<[128, 64, 4] x f32>"},
    {"r = pl.transpose(tf, 0, 1)", "tile.transpose", "!pl.tile<128x64xf32, vec>"},
    {"r = pl.reinterpret_view(f, pl.INT8)", "tensor.reinterpret_view", "!pl.tensor<[64, 512] x i8>"},
    {"r = pl.tile.reinterpret_view(ti, pl.FP32)", "tile.reinterpret_view", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.tensor.view(f, [128, 64])", "tensor.view", "!pl.tensor<[128, 64] x f32>"},
    {"r = pl.write(f, [0, n], 1.0)", "tensor.write", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.write(ti, [0, 0], n32)", "tile.write", "!pl.tile<64x128xi32, vec>"},
    {"r = pl.assemble(tf, trow, [3, 0])", "tile.assemble", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.tile.extract(th, 0, 16, [16, 16], target_memory=pl.Mem.Left)", "tile.extract",
     "!pl.tile<16x16xf16, left>"},
    {"r = pl.random(1, 2, 3, 4, 5, 6, [8, 64])", "tensor.random", "!pl.tensor<[8, 64] x ui32>"},
    {"r = pl.create_l1([64, 64], pl.FP16)", "tensor.create_l1", "!pl.tensor<[64, 64] x f16>"},
};
INSTANTIATE_TEST_SUITE_P(Shapes, Accepts, ::testing::ValuesIn(kShapes));

constexpr Accepted kSpecial[] = {
    {"r = pl.gather(f, dim=-1, index=i)", "tensor.gather", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.gather(f, mask_pattern=pl.tile.MaskPattern.P0101)", "tensor.gather", "!pl.tensor<[64, 64] x f32>"},
    {"r = pl.gather(f, mask_pattern=3, output_dtype=pl.INT32)", "tensor.gather", "!pl.tensor<[64, 32] x i32>"},
    {"a, c = pl.gather(f, kvalue=1.0, cmp_mode='eq', out_cols=16)", "tensor.gather",
     "(!pl.tensor<[64, 16] x i32>, !pl.tensor<[1, 64] x i32>)"},
    {"r = pl.tile.gather(tf, ti, ti)", "tile.gather", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.tile.gather_mask(tf, 7)", "tile.gather_mask", "!pl.tile<64x128xf32, vec>"},
    {"r = pl.gatherb(tf, tu)", "tile.gatherb", "!pl.tile<64x1024xf32, vec>"},
    {"r = pl.tensor.scatter(f, -1, i, g)", "tensor.scatter", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.scatter_update(f, i, g)", "tensor.scatter_update", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.scatter_update(f, -2, i, g)", "tensor.scatter_update", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.sort32(f, u)", "tensor.sort32", "!pl.tensor<[64, 256] x f32>"},
    {"r = pl.mrgsort(f, block_len=64)", "tensor.mrgsort", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.mrgsort(f, g)", "tensor.mrgsort", "!pl.tensor<[64, 256] x f32>"},
    {"r = pl.gemv(pl.move(pl.load(h, [0, 0], [1, 128], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left), "
     "pl.tile.create([128, 64], pl.FP16, target_memory=pl.Mem.Right))",
     "tile.gemv", "!pl.tile<1x64xf32, acc>"},
    {"r = pl.matmul_bias(left, pl.create_tile([128, 32], pl.FP16, pl.Mem.Right), "
     "pl.create_tile([1, 32], pl.FP32, pl.Mem.Bias))",
     "tile.matmul_bias", "!pl.tile<64x32xf32, acc>"},
    {"r = pl.matmul_acc(f, f, f, b_trans=True, init_cond=n == 0)", "tensor.matmul_acc", "!pl.tensor<[64, 128] x f32>"},
    {"r = pl.move(tf, pl.Mem.Mat, blayout=pl.TileLayout.row_major)", "tile.move", "!pl.tile<64x128xf32, mat>"},
    {"r = pl.system.task_dummy(deps=[])", "system.task_dummy", "!pl.handle<task>"},
    {"r = pl.array.create(4, pl.TASK_ID)", "array.create", "!pl.array<4 x task_id>"},
    {"r = pl.array.get_element(pl.array.create(4, pl.INT32), 1)", "array.get_element", "i32"},
    {"r = pl.prefetch.async_prefetch(f, pl.prefetch.make_context())", "prefetch.async_prefetch", "!pl.handle<event>"},
    {"pl.system.syncall(core_type='aiv')", "system.syncall", "()"},
    {"r = pld.world_size()", "pld.system.world_size", "i64"},
    {"r = pld.nranks(pld.get_comm_ctx(dist))", "pld.system.nranks", "i32"},
    {"r = pld.window(pld.alloc_window_buffer(4096), [8, 64], dtype=pl.FP32)", "pld.tensor.window",
     "!pl.tensor<[8, 64] x f32, distributed>"},
    {"r = pld.tile.remote_load(dist, 1, [0, 0], [16, 128])", "pld.tile.remote_load", "!pl.tile<16x128xf32, vec>"},
    {"pld.remote_store(tf, dist, 0, [0, 0])", "pld.tile.remote_store", "()"},
    {"pld.remote_store(f, dist, n, [0, 0])", "pld.tensor.remote_store", "()"},
    {"pld.system.wait(dist, [0, 0], 1, cmp=pld.WaitCmp.Ge)", "pld.system.wait", "()"},
    {"r = pld.tensor.allgather(f, dist, dist)", "pld.tensor.allgather", "!pl.tensor<[64, 128] x f32, distributed>"},
};
INSTANTIATE_TEST_SUITE_P(Special, Accepts, ::testing::ValuesIn(kSpecial));

struct Refused {
  const char *statement;
  const char *said; ///< Beginning with slug and place.
};

void PrintTo(const Refused &row, std::ostream *out) { *out << row.statement; }

class Refuses : public ::testing::TestWithParam<Refused> {};

TEST_P(Refuses, AtTheArgument) {
  Built made = build(GetParam().statement);
  EXPECT_TRUE(made.said.starts_with(GetParam().said)) << GetParam().statement << '\n' << made.said;
  EXPECT_EQ(made.said.find(" && "), std::string::npos) << "more than one: " << made.said;
}

constexpr Refused kFaults[] = {
    {"r = pl.tile.sel(pl.create_tile([64, 128], dtype=pl.INT4), tf, tg, tg)",
     "operand-dtype at `pl.create_tile([64, 128], dtype=pl.INT4)`"},
    {"r = pl.add(f, cube_)", "undefined-name at `cube_`"},
    {"r = pl.addd(f, g)", "unknown-op at `pl.addd`: `pl.addd` is not an operation of PL: did you mean `pl.add`?"},
    {"r = pl.add(f, tf)",
     "wrong-operand at `tf`: `rhs` of `pl.add` must be a tensor or a number, got pl.Tile[[64, 128], "
     "pl.FP32, pl.Mem.Vec]"},
    {"r = pl.add(2.0, f)",
     "wrong-operand at `2.0`: `lhs` of `pl.add` must be a tensor or a tile, got 2.0: the number comes "
     "second"},
    {"r = pl.add(f, pl.load(h, [0, 0], [32, 64]))", "wrong-operand at `pl.load(h, [0, 0], [32, 64])`"},
    {"r = pl.add(f, pl.transpose(g, 0, 1))",
     "shape-mismatch at `pl.transpose(g, 0, 1)`: `pl.add`: the shapes do not broadcast "
     "on axis 0 ([64] and [128]): lhs is pl.Tensor[[64, 128], pl.FP32], rhs is "
     "pl.Tensor[[128, 64], pl.FP32]"},
    {"r = pl.add(f, n)", "type-mismatch at `n`: `pl.add`: an INDEX scalar does not mix"},
    {"r = pl.sub(u, 1)", "operand-dtype at `u`: `pl.sub`: `lhs` is of INT8"},
    {"r = pl.div(b, b)", "operand-dtype at `b`"},
    {"r = pl.tile.div(tf, th)", "type-mismatch at `th`: `pl.tile.div`: takes tiles of one dtype"},
    {"r = pl.div(tf, trow)", "shape-mismatch at `trow`: `pl.div`: the tiles have one shape"},
    {"r = pl.and_(f, 1)", "operand-dtype at `f`: `pl.and_`: `lhs` is of an integer dtype"},
    {"r = pl.shl(i, -1)", "type-mismatch at `-1`: `pl.shl`: a shift by -1"},
    {"r = pl.and_(i, pl.slice(i, [1, 128], [0, 0]))",
     "shape-mismatch at `pl.slice(i, [1, 128], [0, 0])`: `pl.and_`: bitwise"},
    {"r = pl.cast(f, pl.FP32)", "same-dtype-cast at `pl.FP32`"},
    {"r = pl.cast(f, pl.BF16, mode='rinnt')",
     "bad-choice at `'rinnt'`: `mode` of `pl.cast` cannot be 'rinnt': did you mean "
     "`rint`?"},
    {"r = pl.cast(f, target_type=16)", "wrong-operand at `16`: `target_type` of `pl.cast` must be a dtype"},
    {"r = pl.cast(f, pl.BF16, mod='rint')",
     "wrong-arguments at `mod`: `pl.cast` has no parameter `mod`: did you mean `mode`?"},
    {"r = pl.matmul(left, pl.create_tile([128, 64], pl.FP16, pl.Mem.Right), b_trans=True)",
     "wrong-arguments at `b_trans`: `pl.matmul` has no `b_trans` when its operands are tiles"},
    {"r = pl.matmul(h, h, b_tans=True)",
     "wrong-arguments at `b_tans`: `pl.matmul` has no parameter `b_tans`: did you mean "
     "`b_trans`?"},
    {"r = pl.log(b)", "operand-dtype at `b`: `pl.log`: `input` is of FP16 or FP32"},
    {"r = pl.sin(h)", "operand-dtype at `h`: `pl.sin`: `input` is of FP32"},
    {"r = pl.row_sum(tf)", "wrong-arguments at `pl.row_sum(tf)`: `pl.row_sum` misses its argument `tmp_tile`"},
    {"r = pl.row_sum(tf, th)", "type-mismatch at `th`: `pl.row_sum`: the scratch tile"},
    {"r = pl.row_expand_mul(f, row)",
     "shape-mismatch at `row`: `pl.row_expand_mul`: `row_vec` holds one value a row, [M, 1]"},
    {"r = pl.col_expand_mul(f, pl.slice(row, [1, 64], [0, 0]))",
     "shape-mismatch at `pl.slice(row, [1, 64], [0, 0])`: `pl.col_expand_mul`: the columns of both are equal"},
    {"r = pl.tile.full([16, n], pl.FP32, 0.0)", "literal-required at `n`"},
    {"r = pl.arange(0, [2, 64])", "shape-mismatch at `[2, 64]`: `pl.arange`: the leading extents are 1"},
    {"r = pl.arange(n, [1, 64])", "type-mismatch at `n`: `pl.arange`: `start` is pl.Scalar[pl.INDEX]"},
    {"r = pl.fillpad(tf, pl.PadValue.mean)", "bad-choice at `pl.PadValue.mean`"},
    {"r = pl.fillpad_expand(tf, [64, 64])", "shape-mismatch at `[64, 64]`"},
    {"r = pl.set_validshape(tf, 65, 1)",
     "shape-mismatch at `65`: `pl.set_validshape`: 65 is not within the [64] of axis 0"},
    {"r = pl.set_validshape(cube, 1, 1)", "rank at `cube`"},
    {"r = pl.slice(tf, [16, 128], [56, 0])", "bounds at `[56, 0]`: the window ends at 72 on axis 0"},
    {"r = pl.concat(f, h)", "type-mismatch at `h`: `pl.concat`: joins operands of one dtype"},
    {"r = pl.concat(f, row)", "shape-mismatch at `row`: `pl.concat`: the rows of both are equal"},
    {"r = pl.transpose(f, 0, 2)", "rank at `2`: `pl.transpose`: 2 is not an axis"},
    {"r = pl.transpose(f, 1, -1)", "type-mismatch at `-1`: `pl.transpose`: swaps two different axes"},
    {"r = pl.reinterpret_view(pl.slice(h, [64, 1], [0, 0]), pl.FP32)", "shape-mismatch at `pl.FP32`"},
    {"r = pl.write(i, [0, 0], 1)",
     "type-mismatch at `1`: `pl.write`: the value has the dtype of the elements, pl.INT32, got "
     "pl.INDEX: `pl.const(1, pl.INT32)` is one"},
    {"r = pl.write(f, [0], 1.0)", "rank at `[0]`: `pl.write`: takes one index an axis"},
    {"r = pl.gather(f)", "wrong-arguments at `pl.gather(f)`: `pl.gather` takes one of"},
    {"r = pl.gather(b, dim=-1, index=i)", "operand-dtype at `b`"},
    {"r = pl.gather(f, dim=-1, index=u)", "operand-dtype at `u`: `pl.gather`: `index` is of INT32"},
    {"r = pl.gather(f, dim=2, index=i)", "rank at `2`"},
    {"r = pl.gather(f, mask_pattern=9)", "bad-choice at `9`: `mask_pattern` of `pl.gather` cannot be 9"},
    {"r = pl.sort32(f, i)", "operand-dtype at `i`: `pl.sort32`: `idx` is of UINT32"},
    {"r = pl.mrgsort(f)", "wrong-arguments at `pl.mrgsort(f)`"},
    {"r = pl.mrgsort(f, block_len=60)", "type-mismatch at `60`: `pl.mrgsort`: `block_len` is a multiple of 64"},
    {"r = pl.mrgsort(tf, tg)", "wrong-arguments at `pl.mrgsort(tf, tg)`: `pl.mrgsort` misses its argument `tmp`"},
    {"r = pl.tensor.scatter(f, -1, i, h)", "type-mismatch at `h`"},
    {"r = pl.tile.batch_matmul_acc(f, f, f)", "type-mismatch at"},
    {"r = pl.matmul_acc(f, f, f, init_cond=True)", "shape-mismatch at `f`: `pl.matmul_acc`: the contracted axes"},
    {"r = pl.matmul_acc(f, f, f, init_cond=n)", "wrong-operand at `n`: `init_cond` of `pl.matmul_acc` must be a BOOL"},
    {"r = pl.relu(f)", "wrong-operand at `f`: `tile` of `pl.relu` must be a tile, got pl.Tensor[[64, 128], pl.FP32]"},
    {"r = pl.array.create(n, pl.INT32)",
     "literal-required at `n`: `extent` of `pl.array.create` must be known without running"},
    {"pld.system.wait(dist, [0, 0], 1, cmp=pld.WaitCmp.Lt)", "bad-choice at `pld.WaitCmp.Lt`"},
    {"pld.system.notify(dist, 0, [0, 0], 1)", "wrong-arguments at `pld.system.notify(dist, 0, [0, 0], 1)`: "
                                              "`pld.system.notify` misses its argument `op`"},
    {"pld.remote_store(f, g, 0, [0, 0])",
     "wrong-operand at `g`: `target` of `pld.remote_store` must be a distributed tensor"},
    {"r = pld.tile.remote_load(dist, 0, [0], [16, 128])", "rank at `[0]`"},
    {"r = pl.create_tile([], dtype=pl.FP32)", "shape-mismatch at `[]`: the shape: it has no extent"},
    {"r = pl.create_tensor([], dtype=pl.FP32)", "shape-mismatch at `[]`: the shape: it has no extent"},
    {"r = pl.create_tensor([1, 1 << 41], dtype=pl.FP32)", "shape-mismatch at `1 << 41`"},
    {"r = pl.concat(pl.create_tensor([1, 1 << 40], dtype=pl.FP32), pl.create_tensor([1, 1 << 40], dtype=pl.FP32))",
     "shape-mismatch at `pl.create_tensor([1, 1 << 40], dtype=pl.FP32)`: `pl.concat`: the result has an axis"},
    {"r = pl.read(tf, 1.5)", "type-mismatch at `1.5`: an entry of the indices"},
    {"r = pl.read(f, f)", "type-mismatch at `f`: an entry of the indices"},
    {"r = pl.tile.slice(tf, [8, 64], [-8, 0])", "negative-offset at `[-8, 0]`"},
    {"r = pl.tile.slice(tf, [8, 64], [0, 0], [4])", "rank at `[4]`"},
    {"r = pl.tile.slice(tf, [8, 64], [0, 0], [80, 640])", "shape-mismatch at `[80, 640]`"},
    {"r = pl.tile.slice(tf, [8, 64], [0, 0], drop_dims=[-1])", "rank at `[-1]`"},
    {"r = pl.row_sum(tf, pl.create_tile([8, 128], dtype=pl.FP32))",
     "shape-mismatch at `pl.create_tile([8, 128], dtype=pl.FP32)`: `pl.row_sum`: the scratch tile `tmp_tile` has at "
     "least"},
    {"r = pl.row_argmax(tf, pl.create_tile([128, 128], dtype=pl.FP32))",
     "shape-mismatch at `pl.create_tile([128, 128], dtype=pl.FP32)`: `pl.row_argmax`: the scratch tile `tmp_tile` has "
     "the shape"},
    {"r = pl.read(f, [64, 0])",
     "element-bounds at `64`: the index 64 on axis 0 of `f` names no element: the extent is 64"},
    {"pl.write(f, [0, -1], 1.0)", "element-bounds at `-1`"},
};
INSTANTIATE_TEST_SUITE_P(Faults, Refuses, ::testing::ValuesIn(kFaults));

} // namespace
} // namespace placid::frontend
