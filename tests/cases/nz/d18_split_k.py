# case: d18_split_k
# expect: ok
# arch: any
# entry: MixerSplitK.kern
# blocked: wt=[1, 32, 32, 16, 32]
# offsets: L25 wt=[0, floordiv(k0, 32), floordiv(n0, 16), 0, 0]
# sizes: L25 wt=[1, 16, 8, 16, 32]
# row: D18
import pypto.language as pl


@pl.program
class MixerSplitK:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 1024], pl.INT8],
        wt: pl.Tensor[[512, 1024], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 128], pl.INT32]],
    ) -> pl.Tensor[[16, 128], pl.INT32]:
        lane = pl.tile.get_block_idx()
        k0 = (lane % 2) * 512
        n0 = (lane // 2) * 128
        x_l1 = pl.load(x, [0, k0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [n0, k0], [128, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
