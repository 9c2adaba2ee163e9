# case: d40_doubling_chain
# expect: ok
# arch: any
# entry: HeadDoublingChain.kern
# blocked: w_o=[1, 4, 256, 16, 16]
# offsets: L37 w_o=[0, 0, floordiv(r0, 16), 0, 0]
# sizes: L37 w_o=[1, 4, 2, 16, 16]
# row: D40
import pypto.language as pl


@pl.program
class HeadDoublingChain:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[4096, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x0 = lane
        x1 = x0 + x0
        x2 = x1 + x1
        x3 = x2 + x2
        x4 = x3 + x3
        x5 = x4 + x4
        x6 = x5 + x5
        x7 = x6 + x6
        x8 = x7 + x7
        x9 = x8 + x8
        x10 = x9 + x9
        x11 = x10 + x10
        x12 = x11 + x11
        r0 = x12 * 16
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
