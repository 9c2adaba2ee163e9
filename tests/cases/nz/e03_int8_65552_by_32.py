# case: e03_int8_65552_by_32
# expect: ok
# arch: any
# entry: HeadInt865552By32.kern
# offsets: L24 w_head=[0, 0, 0, 0, 0]
# sizes: L24 w_head=[1, 16, 2, 16, 32]
# tile: L24 w_l1=[32, 512]
# gap: L24 w_head=65520
# note: the same tensor under a wider tile
# row: E03
import pypto.language as pl


@pl.program
class HeadInt865552By32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w_head: pl.Tensor[[65552, 512], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, 0], [32, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
