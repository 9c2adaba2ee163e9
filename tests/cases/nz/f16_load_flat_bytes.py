# case: f16_load_flat_bytes
# expect: ok
# arch: any
# entry: FlatLoadFlatBytes.kern
# blocked: w=[1, 32, 16, 16, 16]
# note: the flat tensor is ND and walks the bytes in NZ order
# row: F16
import pypto.language as pl


@pl.program
class FlatLoadFlatBytes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[512], pl.FP16]],
    ) -> pl.Tensor[[512], pl.FP16]:
        w_flat = pl.reshape(w, [131072])
        t = pl.load(w_flat, [0], [512], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0], res)
        return res
