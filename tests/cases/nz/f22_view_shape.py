# case: f22_view_shape
# expect: reject view line=21
# related-line=18
# arch: any
# entry: UsesViewShape.kern
# mentions: view; NZ
# may-warn: not-supported-yet
# row: F22
import pypto.language as pl


@pl.program
class UsesViewShape:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_v = pl.tensor.view(w, [512, 256])
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
