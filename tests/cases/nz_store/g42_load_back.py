# case: g42_load_back
# expect: ok
# arch: a2a3
# entry: LoadBack.kern
# sizes: L25 y_nz=[1, 4, 2, 16, 8]
# sizes: L26 y_nz=[1, 4, 2, 16, 8]
# note: the store result aliases the destination with its blocked type
# row: G42
import pypto.language as pl


@pl.program
class LoadBack:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.InOut[pl.Tensor[[32, 32], pl.FP32, pl.NZ]],
        z: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
        p: pl.Tensor[[16, 32], pl.FP32],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        y_nz = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], y_nz)
        c = pl.load(y_nz, [0, 0], [32, 32], target_memory=pl.Mem.Mat)
        q = pl.load(p, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        z = pl.store(pl.matmul(q, c), [0, 0], z)
        return z
