# expect: reject window line=17
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ):
        lane = pl.tile.get_block_idx()
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(pl.load(w, [0, 0, 0], [2, 32, 64], target_memory=pl.Mem.Mat), [64, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
