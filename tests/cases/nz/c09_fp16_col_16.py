# case: c09_fp16_col_16
# expect: ok
# arch: any
# entry: GateFp16Col16.kern
# blocked: w_kv=[1, 16, 8, 16, 16]
# offsets: L23 w_kv=[0, 1, 0, 0, 0]
# sizes: L23 w_kv=[1, 8, 4, 16, 16]
# tile: L23 w_l1=[64, 128]
# row: C09
import pypto.language as pl


@pl.program
class GateFp16Col16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 128], pl.FP16],
        w_kv: pl.Tensor[[128, 256], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [0, 16], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
