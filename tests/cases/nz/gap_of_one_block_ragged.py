# expect: ok
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 16], pl.FP16],
        w: pl.Tensor[[65552, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ):
        lane = pl.tile.get_block_idx()
        x_l1 = pl.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        v = pl.min(pl.max(65552 - lane * 16, 0), 16)
        w_l1 = pl.load(w, [lane * 16, 0], [16, 16], valid_shape=[v, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
