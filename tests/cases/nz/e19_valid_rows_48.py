# case: e19_valid_rows_48
# expect: ok
# arch: any
# entry: HeadValidRows48.kern
# offsets: L22 w_gate=[0, 0, 0, 0, 0]
# sizes: L22 w_gate=[1, 4, 3, 16, 16]
# tile: L22 w_l1=[64, 64]
# row: E19
import pypto.language as pl


@pl.program
class HeadValidRows48:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [64, 64], valid_shape=[48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
