# case: g39_two_stores
# expect: reject l0c line=25
# related-line=19
# also: error l0c line=26
# mentions: 147456; 131072
# arch: a2a3
# entry: TwoStores.kern
# row: G39
import pypto.language as pl


@pl.program
class TwoStores:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[256, 64], pl.FP16],
        w: pl.Tensor[[144, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[256, 144], pl.FP32, pl.NZ]],
        z: pl.Out[pl.Tensor[[256, 144], pl.FP32, pl.NZ]],
    ) -> tuple[pl.Tensor[[256, 144], pl.FP32, pl.NZ], pl.Tensor[[256, 144], pl.FP32, pl.NZ]]:
        x_l1 = pl.load(x, [0, 0], [256, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [144, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        z = pl.store(acc, [0, 0], z)
        return y, z
