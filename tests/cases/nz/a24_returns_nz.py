# case: a24_returns_nz
# expect: ok
# arch: a2a3
# entry: NzResult.kern
# blocked: acc_nz=[1, 4, 3, 16, 8]
# blocked: w=[1, 4, 2, 16, 16]
# offsets: L25 acc_nz=[0, 0, 0, 0, 0]
# sizes: L25 acc_nz=[1, 4, 3, 16, 8]
# row: A24
import pypto.language as pl


@pl.program
class NzResult:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        acc_nz: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 32], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        acc_nz = pl.store(acc, [0, 0], acc_nz)
        return acc_nz
