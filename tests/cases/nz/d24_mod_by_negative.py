# case: d24_mod_by_negative
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: RouterModByNegative.kern
# mentions: shape[-1]; non-negative
# at: k0
# row: D24
import pypto.language as pl


@pl.program
class RouterModByNegative:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w_head: pl.Tensor[[64, 1024], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        k0 = (lane % -2) * 512
        x_l1 = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, k0], [64, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
