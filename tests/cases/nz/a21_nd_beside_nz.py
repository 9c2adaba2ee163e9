# case: a21_nd_beside_nz
# expect: ok
# arch: any
# entry: GatedPair.kern
# blocked: w_nz=[1, 16, 16, 16, 32]
# untouched: w_nd=[256, 512]
# untouched: hid=[16, 512]
# untouched: y=[16, 512]
# row: A21
import pypto.language as pl


@pl.program
class GatedPair:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 512], pl.INT8],
        w_nd: pl.Tensor[[256, 512], pl.INT8, pl.ND],
        w_nz: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 512], pl.INT32]],
    ) -> pl.Tensor[[16, 512], pl.INT32]:
        h = pl.load(hid, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        a = pl.load(w_nd, [0, 0], [256, 512], target_memory=pl.Mem.Mat)
        b = pl.load(w_nz, [0, 0], [256, 512], target_memory=pl.Mem.Mat)
        y = pl.store(pl.matmul(h, pl.tile.transpose_view(a)), [0, 0], y)
        y = pl.store(pl.matmul(h, pl.tile.transpose_view(b)), [0, 256], y)
        return y
