# case: a10_bf16_smallest
# expect: ok
# arch: any
# entry: UpBf16Smallest.kern
# blocked: w_gate=[1, 1, 1, 16, 16]
# strides: w_gate=[256, 256, 256, 16, 1]
# offsets: L24 w_gate=[0, 0, 0, 0, 0]
# sizes: L24 w_gate=[1, 1, 1, 16, 16]
# tile: L24 w_l1=[16, 16]
# row: A10
import pypto.language as pl


@pl.program
class UpBf16Smallest:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 16], pl.BF16],
        w_gate: pl.Tensor[[16, 16], pl.BF16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
