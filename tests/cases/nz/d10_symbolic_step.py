# case: d10_symbolic_step
# expect: ok
# arch: any
# entry: HeadSymbolicStep.kern
# blocked: bank=[1, 4, 36, 16, 16]
# offsets: L26 bank=[0, 0, floordiv(o0, 16), 0, 0]
# sizes: L26 bank=[1, 4, 6, 16, 16]
# row: D10
import pypto.language as pl


@pl.program
class HeadSymbolicStep:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[576, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 96], pl.FP32]],
    ) -> pl.Tensor[[16, 96], pl.FP32]:
        lane = pl.tile.get_block_idx()
        num = pl.tile.get_block_num()
        for ob in pl.range(lane, 6, num):
            o0 = ob * 96
            x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(bank, [o0, 0], [96, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            y = pl.store(acc, [0, 0], y)
        return y
