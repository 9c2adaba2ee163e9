# case: b28_never_read
# expect: reject rows-align line=17
# arch: any
# entry: Idle.kern
# mentions: 16; 40
# at: pl.NZ
# row: B28
import pypto.language as pl


@pl.program
class Idle:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
