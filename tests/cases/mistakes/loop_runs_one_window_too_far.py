# case: loop_runs_one_window_too_far
# expect: reject loop-bounds line=22
# at: i * 16
# arch: any
# entry: LoopRunsOneWindowTooFar.kern
# mentions: `i = 4`; 64..80; axis 0; 64
# rule: a loop that runs one window past the end
import pypto.language as pl


@pl.program
class LoopRunsOneWindowTooFar:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(5):
            a = pl.load(f, [i * 16, 0], [16, 64])
            res = pl.store(a, [0, 0], res)
        return res
