# case: e04_one_column_block
# expect: ok
# arch: any
# entry: DownOneColumnBlock.kern
# offsets: L23 w=[0, 0, 0, 0, 0]
# sizes: L23 w=[1, 1, 1, 16, 32]
# tile: L23 w_l1=[16, 32]
# note: a gap of 65536 that no burst steps over
# row: E04
import pypto.language as pl


@pl.program
class DownOneColumnBlock:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 32], pl.INT8],
        w: pl.Tensor[[65552, 32], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(feat, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
