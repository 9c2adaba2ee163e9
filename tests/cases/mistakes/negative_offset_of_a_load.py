# case: negative_offset_of_a_load
# expect: reject negative-offset line=20
# at: -16
# arch: any
# entry: NegativeOffsetOfALoad.kern
# rule: a window that begins before the tensor
import pypto.language as pl


@pl.program
class NegativeOffsetOfALoad:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [-16, 0], [64, 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
