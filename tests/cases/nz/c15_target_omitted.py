# case: c15_target_omitted
# expect: reject target-memory line=20
# related-line=17
# arch: any
# entry: VectorTargetOmitted.kern
# mentions: Mat
# at: pl.load(w, [0, 0], [32, 64])
# row: C15
import pypto.language as pl


@pl.program
class VectorTargetOmitted:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
    ) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.load(w, [0, 0], [32, 64])
        res = pl.store(t, [0, 0], res)
        return res
