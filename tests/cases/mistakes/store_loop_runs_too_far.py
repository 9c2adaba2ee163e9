# case: store_loop_runs_too_far
# expect: reject loop-bounds line=23
# at: i
# arch: any
# entry: StoreLoopRunsTooFar.kern
# mentions: `i = 96`; 96..128
# rule: a writer that passes the end of its result
import pypto.language as pl


@pl.program
class StoreLoopRunsTooFar:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(0, 128, 32):
            a = pl.load(y, [i, 0], [32, 64])
            res = pl.store(pl.cast(a, pl.FP32), [i, 0], res)
        return res
