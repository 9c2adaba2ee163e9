# case: f18_column_vector
# expect: reject reshape line=19
# related-line=16
# arch: any
# entry: FlatColumnVector.kern
# mentions: flatten
# row: F18
import pypto.language as pl


@pl.program
class FlatColumnVector:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[512, 1], pl.FP16]],
    ) -> pl.Tensor[[512, 1], pl.FP16]:
        w_flat = pl.reshape(w, [131072, 1])
        t = pl.load(w_flat, [0, 0], [512, 1], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
