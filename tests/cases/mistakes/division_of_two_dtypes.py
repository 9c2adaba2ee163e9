# case: division_of_two_dtypes
# expect: reject type-mismatch line=22
# arch: any
# entry: DivisionOfTwoDtypes.kern
# mentions: FP32; FP16
# rule: tiles are divided at one dtype
import pypto.language as pl


@pl.program
class DivisionOfTwoDtypes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.load(x, [0, 0], [64, 64])
        c = pl.div(a, b)
        res = pl.store(a, [0, 0], res)
        return res
