# case: b11_dynamic_both
# expect: reject dynamic-plane line=21
# arch: any
# entry: DownDynamicBoth.kern
# mentions: shape[-2]; static
# at: pl.NZ
# note: rows first, one diagnostic for the annotation
# row: B11
import pypto.language as pl

R = pl.dynamic("R")
C = pl.dynamic("C")


@pl.program
class DownDynamicBoth:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_up: pl.Tensor[[R, C], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
