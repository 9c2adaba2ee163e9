# case: f23_view_to_nz
# expect: reject view line=21
# arch: any
# entry: UsesViewToNz.kern
# mentions: view; NZ
# may-warn: not-supported-yet
# annotation: none
# row: F23
import pypto.language as pl


@pl.program
class UsesViewToNz:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.FP16],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_v = pl.tensor.view(w, layout=pl.NZ)
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
