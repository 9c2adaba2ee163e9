# case: store_of_wrong_rank
# expect: reject rank line=21
# at: [0, 0, 0]
# arch: any
# entry: StoreOfWrongRank.kern
# rule: three offsets into a matrix
import pypto.language as pl


@pl.program
class StoreOfWrongRank:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0, 0], res)
        return res
