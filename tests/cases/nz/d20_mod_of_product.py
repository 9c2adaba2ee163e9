# case: d20_mod_of_product
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: UpModOfProduct.kern
# mentions: shape[-2]; 16
# at: r0
# row: D20
import pypto.language as pl


@pl.program
class UpModOfProduct:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[160, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = (lane * 32) % 128
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
