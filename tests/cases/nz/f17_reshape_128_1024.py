# case: f17_reshape_128_1024
# expect: reject reshape line=19
# related-line=16
# arch: any
# entry: FlatReshape1281024.kern
# mentions: reshape; flatten
# row: F17
import pypto.language as pl


@pl.program
class FlatReshape1281024:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
    ) -> pl.Tensor[[16, 64], pl.FP16]:
        w_flat = pl.reshape(w, [128, 1024])
        t = pl.load(w_flat, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
