# case: d39_inline_bad_product
# expect: reject offset-align line=23
# related-line=18
# arch: any
# entry: DownInlineBadProduct.kern
# mentions: shape[-2]; 16
# at: lane * 40
# row: D39
import pypto.language as pl


@pl.program
class DownInlineBadProduct:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [lane * 40, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
