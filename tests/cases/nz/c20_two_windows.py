# case: c20_two_windows
# expect: ok
# arch: any
# entry: TwoWindows.kern
# offsets: L25 w=[0, 4, 2, 0, 0]
# sizes: L25 w=[1, 4, 3, 16, 16]
# offsets: L26 w=[0, 0, 8, 0, 0]
# sizes: L26 w=[1, 4, 2, 16, 16]
# tile: L25 p=[48, 64]
# tile: L26 q=[32, 64]
# row: C20
import pypto.language as pl


@pl.program
class TwoWindows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[160, 128], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 80], pl.FP32]],
    ) -> pl.Tensor[[16, 80], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        p = pl.load(w, [32, 64], [48, 64], target_memory=pl.Mem.Mat)
        q = pl.load(w, [128, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(p)), [0, 0], res)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(q)), [0, 48], res)
        return res
