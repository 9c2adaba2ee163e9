# case: d39_inline_product
# expect: ok
# arch: any
# entry: ExpertInlineProduct.kern
# blocked: w=[1, 4, 12, 16, 16]
# offsets: L23 w=[0, 0, floordiv(lane * 48, 16), 0, 0]
# sizes: L23 w=[1, 4, 3, 16, 16]
# row: D39
import pypto.language as pl


@pl.program
class ExpertInlineProduct:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [lane * 48, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
