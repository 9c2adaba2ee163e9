# case: loop_begins_before_the_tensor
# expect: reject loop-bounds line=23
# at: row
# arch: any
# entry: LoopBeginsBeforeTheTensor.kern
# mentions: `i = 0`; -16
# rule: the window before the first one
import pypto.language as pl


@pl.program
class LoopBeginsBeforeTheTensor:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(4):
            row = (i - 1) * 16
            a = pl.load(f, [row, 0], [16, 64])
            res = pl.store(a, [0, 0], res)
        return res
