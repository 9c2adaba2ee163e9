# case: d21_div_of_product
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: UpDivOfProduct.kern
# mentions: shape[-2]; 16
# at: r0
# row: D21
import pypto.language as pl


@pl.program
class UpDivOfProduct:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[1024, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = (lane * 256) // 4
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [r0, 0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
