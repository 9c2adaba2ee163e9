# case: b07_int64_cols_6
# expect: reject cols-align line=17
# arch: any
# entry: HeadInt64Cols6.kern
# mentions: 4; 6; INT64
# at: pl.NZ
# row: B07
import pypto.language as pl


@pl.program
class HeadInt64Cols6:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        bank: pl.Tensor[[32, 6], pl.INT64, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(bank, [0, 0], [32, 6], target_memory=pl.Mem.Mat)
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        out = pl.store(t, [0, 0], out)
        return out
