# case: yield_count
# expect: reject yield-mismatch line=19
# arch: any
# entry: P.kern
# rule: a loop yields one value for each name
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
        for i, (a, b) in pl.range(4, init_values=(0, n)):
            a2, b2 = pl.yield_(a)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
