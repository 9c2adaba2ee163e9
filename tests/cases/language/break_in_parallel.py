# case: break_in_parallel
# expect: reject loop-control line=21
# arch: any
# entry: P.kern
# mentions: pl.parallel
# rule: nothing leaves a parallel loop
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        for i in pl.parallel(4):
            if i > n:
                continue
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
