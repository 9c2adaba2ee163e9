# case: a24_returns_tuple
# expect: ok
# arch: a2a3
# entry: NzAndNd.kern
# blocked: f_nz=[1, 4, 3, 16, 8]
# untouched: f_nd=[48, 32]
# row: A24
import pypto.language as pl


@pl.program
class NzAndNd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        f_nz: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.NZ]],
        f_nd: pl.Out[pl.Tensor[[48, 32], pl.FP32]],
    ) -> tuple[pl.Tensor[[48, 32], pl.FP32, pl.NZ], pl.Tensor[[48, 32], pl.FP32]]:
        a = pl.load(x, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        f_nz = pl.store(acc, [0, 0], f_nz)
        f_nd = pl.store(acc, [0, 0], f_nd)
        return f_nz, f_nd
