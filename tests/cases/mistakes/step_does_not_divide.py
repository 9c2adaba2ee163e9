# case: step_does_not_divide
# expect: reject loop-bounds line=22
# at: n0
# arch: any
# entry: StepDoesNotDivide.kern
# mentions: `n0 = 48`; 48..72
# rule: the last window of a loop whose step does not divide the extent
import pypto.language as pl


@pl.program
class StepDoesNotDivide:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for n0 in pl.range(0, 64, 24):
            a = pl.load(f, [0, n0], [64, 24])
            b = pl.load(f, [0, 0], [64, 64])
            res = pl.store(b, [0, 0], res)
        return res
