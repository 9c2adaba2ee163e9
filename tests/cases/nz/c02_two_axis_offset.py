# case: c02_two_axis_offset
# expect: ok
# arch: any
# entry: GateTwoAxisOffset.kern
# blocked: w_head=[1, 32, 32, 16, 32]
# offsets: L23 w_head=[0, 16, 16, 0, 0]
# sizes: L23 w_head=[1, 16, 16, 16, 32]
# tile: L23 w_l1=[256, 512]
# row: C02
import pypto.language as pl


@pl.program
class GateTwoAxisOffset:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w_head: pl.Tensor[[512, 1024], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [256, 512], [256, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
