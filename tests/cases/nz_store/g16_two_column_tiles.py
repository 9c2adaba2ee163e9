# case: g16_two_column_tiles
# expect: ok
# arch: a2a3
# entry: TwoColumnTiles.kern
# offsets: L25 y_nz=[0, 0, 0, 0, 0]
# sizes: L25 y_nz=[1, 4, 4, 16, 8]
# offsets: L26 y_nz=[0, 4, 0, 0, 0]
# sizes: L26 y_nz=[1, 4, 4, 16, 8]
# row: G16
import pypto.language as pl


@pl.program
class TwoColumnTiles:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[64, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[64, 64], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 64], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b0 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        b1 = pl.load(w, [32, 0], [32, 64], target_memory=pl.Mem.Mat)
        y_nz = pl.store(pl.matmul(a, pl.tile.transpose_view(b0)), [0, 0], y_nz)
        y_nz = pl.store(pl.matmul(a, pl.tile.transpose_view(b1)), [0, 32], y_nz)
        return y_nz
