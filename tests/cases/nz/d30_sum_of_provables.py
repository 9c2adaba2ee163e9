# case: d30_sum_of_provables
# expect: ok
# arch: any
# entry: MixerSumOfProvables.kern
# blocked: w_up=[1, 32, 4, 16, 32]
# offsets: L26 w_up=[0, floordiv(c, 32), 0, 0, 0]
# sizes: L26 w_up=[1, 2, 4, 16, 32]
# row: D30
import pypto.language as pl


@pl.program
class MixerSumOfProvables:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 1024], pl.INT8],
        w_up: pl.Tensor[[64, 1024], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        base = lane * 256
        for kk in pl.range(0, 256, 64):
            c = base + kk
            x_l1 = pl.load(act, [0, c], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_up, [0, c], [64, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            y = pl.store(acc, [0, 0], y)
        return y
