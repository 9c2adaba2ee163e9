# case: g08_half_of_a_product
# expect: reject offset-align line=23
# arch: a2a3
# alt-kind: offset-sign
# row: G08
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 16], pl.FP16],
        w: pl.Tensor[[16, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[32, 96], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 96], pl.FP32, pl.NZ]:
        lane = pl.tile.get_block_idx()
        a = pl.load(x, [0, 0], [32, 16], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        c0 = (lane * 16) // 2
        y = pl.store(acc, [0, c0], y)
        return y
