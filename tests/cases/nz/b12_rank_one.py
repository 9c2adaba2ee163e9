# case: b12_rank_one
# expect: reject rank line=18
# arch: any
# entry: Flat.kern
# mentions: >= 2; got 1; trailing pair; fractal plane
# at: pl.NZ
# slug: nz-rank
# row: B12
import pypto.language as pl


@pl.program
class Flat:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[512], pl.FP32, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
