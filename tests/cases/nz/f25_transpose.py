# case: f25_transpose
# expect: reject consumer line=21
# related-line=18
# arch: any
# entry: UsesTranspose.kern
# mentions: transpose
# may-warn: not-supported-yet
# row: F25
import pypto.language as pl


@pl.program
class UsesTranspose:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_t = pl.transpose(w, 0, 1)
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
