# case: d43_unroll_misaligned
# expect: reject offset-align line=23
# related-line=18
# arch: any
# entry: UnrolledBad.kern
# mentions: shape[-2]; 16; 24
# note: one diagnostic for the place, although two of the three copies are misaligned
# row: D43
import pypto.language as pl


@pl.program
class UnrolledBad:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 96], pl.FP32]],
    ) -> pl.Tensor[[16, 96], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for r in pl.unroll(0, 72, 24):
            b = pl.load(w, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
