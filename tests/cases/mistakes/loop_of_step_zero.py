# case: loop_of_step_zero
# expect: reject zero-step line=21
# at: 0
# arch: any
# entry: LoopOfStepZero.kern
# rule: a loop that never advances
import pypto.language as pl


@pl.program
class LoopOfStepZero:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.range(0, 64, 0):
            a = pl.add(a, a)
        res = pl.store(a, [0, 0], res)
        return res
