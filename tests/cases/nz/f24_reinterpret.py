# case: f24_reinterpret
# expect: reject view line=21
# related-line=18
# arch: any
# entry: UsesReinterpret.kern
# mentions: reinterpret_view; NZ
# may-warn: not-supported-yet
# row: F24
import pypto.language as pl


@pl.program
class UsesReinterpret:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_v = pl.reinterpret_view(w, pl.FP16)
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
