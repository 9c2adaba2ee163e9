# case: nested_loops_reach_too_far
# expect: reject loop-bounds line=24
# at: row
# arch: any
# entry: NestedLoopsReachTooFar.kern
# mentions: `i = 1`, `j = 4`; 64..72
# rule: the sum of two loop offsets
import pypto.language as pl


@pl.program
class NestedLoopsReachTooFar:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(2):
            for j in pl.range(5):
                row = i * 32 + j * 8
                a = pl.load(f, [row, 0], [8, 64])
                res = pl.store(a, [0, 0], res)
        return res
