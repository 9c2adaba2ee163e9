# case: axis_of_a_transpose
# expect: reject rank line=21
# at: 2
# arch: any
# entry: AxisOfATranspose.kern
# rule: a transpose of an axis that is not there
import pypto.language as pl


@pl.program
class AxisOfATranspose:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.transpose(a, 0, 2)
        res = pl.store(a, [0, 0], res)
        return res
