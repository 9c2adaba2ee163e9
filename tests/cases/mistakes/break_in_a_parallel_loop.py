# case: break_in_a_parallel_loop
# expect: reject loop-control line=23
# arch: any
# entry: BreakInAParallelLoop.kern
# mentions: break
# rule: a break in a parallel loop
import pypto.language as pl


@pl.program
class BreakInAParallelLoop:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.parallel(4):
            b = pl.add(a, a)
            break
        res = pl.store(a, [0, 0], res)
        return res
