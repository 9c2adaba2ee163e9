# case: d07_strided_loop
# expect: ok
# arch: any
# entry: MixerStridedLoop.kern
# blocked: wt=[1, 16, 64, 16, 32]
# offsets: L25 wt=[0, 0, floordiv(o0, 16), 0, 0]
# sizes: L25 wt=[1, 16, 16, 16, 32]
# row: D07
import pypto.language as pl


@pl.program
class MixerStridedLoop:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 512], pl.INT8],
        wt: pl.Tensor[[1024, 512], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        core = pl.tile.get_block_idx()
        for ob in pl.range(core, 4, 2):
            o0 = ob * 256
            x_l1 = pl.load(query, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(wt, [o0, 0], [256, 512], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
