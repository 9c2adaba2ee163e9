# case: d14_max_with_zero
# expect: ok
# arch: any
# entry: UpMaxWithZero.kern
# blocked: w_o=[1, 4, 12, 16, 16]
# offsets: L24 w_o=[0, 0, floordiv(r0, 16), 0, 0]
# sizes: L24 w_o=[1, 4, 3, 16, 16]
# row: D14
import pypto.language as pl


@pl.program
class UpMaxWithZero:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.max(lane * 48 - 48, 0)
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [r0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
