# case: b08_zero_rows
# expect: reject rows-align line=19
# arch: any
# entry: NoRows.kern
# mentions: positive; 0
# at: pl.NZ
# alt-kind: bad-annotation
# note: alt: a zero extent may be refused before layouts are looked at
# row: B08
import pypto.language as pl


@pl.program
class NoRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[0, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
