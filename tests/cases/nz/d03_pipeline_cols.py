# case: d03_pipeline_cols
# expect: ok
# arch: any
# entry: DownPipelineCols.kern
# blocked: wt=[1, 128, 4, 16, 32]
# offsets: L23 wt=[0, floordiv(k0, 32), 0, 0, 0]
# sizes: L23 wt=[1, 16, 4, 16, 32]
# row: D03
import pypto.language as pl


@pl.program
class DownPipelineCols:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 4096], pl.INT8],
        wt: pl.Tensor[[64, 4096], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        for k0 in pl.pipeline(512, 4096, 512, stage=2):
            x_l1 = pl.load(lhs, [0, k0], [16, 512], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(wt, [0, k0], [64, 512], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
