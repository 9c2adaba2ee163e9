# case: yield_bare
# expect: reject yield-mismatch line=19
# arch: any
# entry: P.kern
# rule: a yield binds names
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
        for i, (a,) in pl.range(4, init_values=(0,)):
            pl.yield_(a)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
