# case: c03_int8_both_axes
# expect: ok
# arch: any
# offsets: L20 w=[0, 1, 3, 0, 0]
# sizes: L20 w=[1, 2, 2, 16, 32]
# row: C03
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.INT8],
        w: pl.Tensor[[96, 96], pl.INT8, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [48, 32], [32, 64], target_memory=pl.Mem.Mat)
        out = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)
        return out
