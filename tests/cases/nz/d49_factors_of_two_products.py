# case: d49_factors_of_two_products
# expect: reject offset-align line=27
# related-line=20
# def-line=25
# arch: any
# entry: MixerFactorsOfTwoProducts.kern
# mentions: shape[-1]; 32
# at: k0
# note: 4 and 8 belong to different products
# row: D (a product combines no factors)
import pypto.language as pl


@pl.program
class MixerFactorsOfTwoProducts:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.INT8],
        w_exp: pl.Tensor[[64, 1024], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        q = lane * 4
        k0 = q * 8
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
