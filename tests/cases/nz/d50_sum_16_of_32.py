# case: d50_sum_16_of_32
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: ExpertSum16Of32.kern
# mentions: shape[-1]; 32; 16
# at: k0
# row: D (both summands)
import pypto.language as pl


@pl.program
class ExpertSum16Of32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.INT8],
        bank: pl.Tensor[[64, 1024], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        k0 = lane * 32 + 16
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
