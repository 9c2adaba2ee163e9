# case: guard_that_lets_one_through
# expect: reject loop-bounds line=23
# at: i * 16
# arch: any
# entry: GuardThatLetsOneThrough.kern
# mentions: `i = 4`
# rule: a condition that is one too generous
import pypto.language as pl


@pl.program
class GuardThatLetsOneThrough:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(8):
            if i <= 4:
                a = pl.load(f, [i * 16, 0], [16, 64])
                res = pl.store(a, [0, 0], res)
        return res
