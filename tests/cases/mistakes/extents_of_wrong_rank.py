# case: extents_of_wrong_rank
# expect: reject rank line=20
# at: [1, 64, 64]
# arch: any
# entry: ExtentsOfWrongRank.kern
# rule: one extent too many
import pypto.language as pl


@pl.program
class ExtentsOfWrongRank:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [1, 64, 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
