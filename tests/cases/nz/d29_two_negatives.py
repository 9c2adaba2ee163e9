# case: d29_two_negatives
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: VocabTwoNegatives.kern
# mentions: shape[-2]; non-negative
# at: n0
# row: D29
import pypto.language as pl


@pl.program
class VocabTwoNegatives:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        n0 = (0 - lane) * (0 - 16)
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [n0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
