# case: d06_counting_down
# expect: reject offset-sign line=25
# related-line=20
# def-line=23
# arch: any
# entry: ProjCountingDown.kern
# mentions: shape[-2]; non-negative
# at: r
# note: every value is in fact non-negative, but the rule asks for a non-negative step
# row: D06
import pypto.language as pl


@pl.program
class ProjCountingDown:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        for r in pl.range(224, -32, -32):
            x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_exp, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
