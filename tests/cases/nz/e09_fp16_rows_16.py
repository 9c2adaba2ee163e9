# case: e09_fp16_rows_16
# expect: ok
# arch: any
# entry: RouterFp16Rows16.kern
# offsets: L23 w_gate=[0, 0, 0, 0, 0]
# sizes: L23 w_gate=[1, 4, 1, 16, 16]
# tile: L23 w_l1=[16, 64]
# gap: L23 w_gate=65520
# row: E09
import pypto.language as pl


@pl.program
class RouterFp16Rows16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[65536, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
