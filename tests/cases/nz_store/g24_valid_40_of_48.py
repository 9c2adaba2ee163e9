# case: g24_valid_40_of_48
# expect: reject store-shape line=23
# related-line=18
# arch: a2a3
# entry: StoreValid40Of48.kern
# mentions: valid
# row: G24
import pypto.language as pl


@pl.program
class StoreValid40Of48:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 32], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [48, 64], valid_shape=[40, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
