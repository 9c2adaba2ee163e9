# case: loop_that_counts_down_too_far
# expect: reject loop-bounds line=22
# at: i
# arch: any
# entry: LoopThatCountsDownTooFar.kern
# mentions: `i = -16`; -16
# rule: a loop that counts down past 0
import pypto.language as pl


@pl.program
class LoopThatCountsDownTooFar:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(48, -17, -16):
            a = pl.load(f, [i, 0], [16, 64])
            res = pl.store(a, [0, 0], res)
        return res
