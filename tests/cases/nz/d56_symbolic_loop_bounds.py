# case: d56_symbolic_loop_bounds
# expect: ok
# arch: any
# entry: LatentSymbolicLoopBounds.kern
# blocked: bank=[1, 4, 64, 16, 16]
# offsets: L25 bank=[0, 0, floordiv(i, 16), 0, 0]
# sizes: L25 bank=[1, 4, 4, 16, 16]
# row: D56
import pypto.language as pl


@pl.program
class LatentSymbolicLoopBounds:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[1024, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        lane = pl.tile.get_block_idx()
        num = pl.tile.get_block_num()
        for i in pl.range(lane * 64, 960, num * 64):
            x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(bank, [i, 0], [64, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
