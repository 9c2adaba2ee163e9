# case: reduction_without_scratch
# expect: reject wrong-arguments line=21
# arch: any
# entry: ReductionWithoutScratch.kern
# mentions: tmp_tile
# rule: the tile form of a reduction needs a scratch tile
import pypto.language as pl


@pl.program
class ReductionWithoutScratch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        s = pl.row_sum(a)
        res = pl.store(a, [0, 0], res)
        return res
