# case: c07_rank3_into_matmul
# expect: reject rank line=23
# arch: any
# entry: LatentRank3IntoMatmul.kern
# mentions: 2
# alt-kind: shape-mismatch, wrong-arguments
# slug: rank
# row: C07
import pypto.language as pl


@pl.program
class LatentRank3IntoMatmul:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[3, 32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [2, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
