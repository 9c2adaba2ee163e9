# case: b27_rows_before_cols
# expect: reject rows-align line=17
# arch: any
# entry: BothOdd.kern
# mentions: shape[-2]; 200
# at: pl.NZ
# row: B27
import pypto.language as pl


@pl.program
class BothOdd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[200, 400], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
