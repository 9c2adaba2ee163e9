# case: c04_whole
# expect: ok
# arch: any
# entry: DownWhole.kern
# blocked: w_gate=[1, 16, 8, 16, 16]
# offsets: L23 w_gate=[0, 0, 0, 0, 0]
# sizes: L23 w_gate=[1, 16, 8, 16, 16]
# tile: L23 w_l1=[128, 256]
# row: C04
import pypto.language as pl


@pl.program
class DownWhole:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 256], pl.FP16],
        w_gate: pl.Tensor[[128, 256], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 256], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [128, 256], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
