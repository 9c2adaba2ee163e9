# case: f26_read
# expect: reject consumer line=21
# related-line=18
# arch: any
# entry: UsesRead.kern
# mentions: read
# may-warn: not-supported-yet
# row: F26
import pypto.language as pl


@pl.program
class UsesRead:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        s = pl.read(w, [0, 0])
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
