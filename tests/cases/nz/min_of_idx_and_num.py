# expect: ok
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ):
        lane = pl.tile.get_block_idx()
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        n = pl.tile.get_block_num()
        r0 = pl.min(lane, n) * 32
        w_l1 = pl.load(w, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
