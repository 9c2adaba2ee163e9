# case: e09_fp16_rows_48
# expect: ok
# arch: any
# entry: LatentFp16Rows48.kern
# offsets: L23 bank=[0, 0, 0, 0, 0]
# sizes: L23 bank=[1, 4, 3, 16, 16]
# tile: L23 w_l1=[48, 64]
# gap: L23 bank=65488
# row: E09
import pypto.language as pl


@pl.program
class LatentFp16Rows48:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[65536, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
