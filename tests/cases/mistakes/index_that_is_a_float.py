# case: index_that_is_a_float
# expect: reject type-mismatch line=20
# at: 0.5
# arch: any
# entry: IndexThatIsAFloat.kern
# rule: an offset that is a float
import pypto.language as pl


@pl.program
class IndexThatIsAFloat:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0.5], [64, 32])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
