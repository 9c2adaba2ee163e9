# case: mx_scales_are_small_tiles
# expect: ok
# arch: a5
# rule: scales of an MX product lie in an order of their own, so their tiles hold no whole fractals of other types
import pypto.language as pl


@pl.program
class Product:
    @pl.function(type=pl.FunctionType.InCore)
    def main(
        self,
        a: pl.Tensor[[128, 64], pl.FP8E4M3FN],
        a_scale: pl.Tensor[[128, 2], pl.FP8E8M0, pl.MX_A_ZZ],
        b: pl.Tensor[[64, 64], pl.FP8E4M3FN],
        b_scale: pl.Tensor[[2, 64], pl.FP8E8M0, pl.MX_B_NN],
        out: pl.Out[pl.Tensor[[128, 64], pl.FP32]],
    ) -> pl.Tensor[[128, 64], pl.FP32]:
        a_l1 = pl.load(a, [0, 0], [128, 64], target_memory=pl.Mem.Mat)
        a_scale_l1 = pl.load(a_scale, [0, 0], [128, 2], target_memory=pl.Mem.Mat)
        b_l1 = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b_scale_l1 = pl.load(b_scale, [0, 0], [2, 64], target_memory=pl.Mem.Mat)
        lhs = pl.move(a_l1, target_memory=pl.Mem.Left)
        lhs_scale = pl.move(a_scale_l1, target_memory=pl.Mem.LeftScale)
        rhs = pl.move(b_l1, target_memory=pl.Mem.Right)
        rhs_scale = pl.move(b_scale_l1, target_memory=pl.Mem.RightScale)
        acc = pl.matmul_mx(lhs, lhs_scale, rhs, rhs_scale)
        out = pl.store(acc, [0, 0], out)
        return out
