# case: c04_second_half_rows
# expect: ok
# arch: any
# entry: LatentSecondHalfRows.kern
# blocked: w_head=[1, 16, 8, 16, 16]
# offsets: L23 w_head=[0, 0, 4, 0, 0]
# sizes: L23 w_head=[1, 16, 4, 16, 16]
# tile: L23 w_l1=[64, 256]
# row: C04
import pypto.language as pl


@pl.program
class LatentSecondHalfRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 256], pl.FP16],
        w_head: pl.Tensor[[128, 256], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 256], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [64, 0], [64, 256], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
