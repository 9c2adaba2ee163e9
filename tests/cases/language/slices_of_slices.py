# case: slices_of_slices
# expect: ok
# arch: any
# entry: Windows
import pypto.language as pl


@pl.program
class Windows:
    @pl.function(type=pl.FunctionType.InCore)
    def operands(
        self,
        x: pl.Tensor[[16, 128], pl.FP16],
        w: pl.Tensor[[64, 128], pl.FP16],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [64, 128], target_memory=pl.Mem.Mat)
        a = pl.tile.slice(x_l1, [16, 64], [0, 64])
        b = pl.tile.slice(w_l1, [48, 64], [16, 32])
        c = pl.tile.slice(b, [32, 64], [16, 0])
        acc = pl.matmul(a, pl.tile.transpose_view(c))
        out = pl.store(acc, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def rows(
        self,
        x: pl.Tensor[[32, 128], pl.FP32],
        out: pl.Out[pl.Tensor[[8, 32], pl.FP32]],
    ) -> pl.Tensor[[8, 32], pl.FP32]:
        t = pl.load(x, [0, 0], [32, 128])
        a = pl.tile.slice(t, [16, 64], [8, 4])
        b = pl.tile.slice(a, [8, 32], [4, 28])
        c = pl.add(b, b)
        out = pl.store(c, [0, 0], out)
        return out
