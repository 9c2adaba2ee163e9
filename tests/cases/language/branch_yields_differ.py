# case: branch_yields_differ
# expect: reject yield-mismatch line=21
# arch: any
# entry: P.kern
# rule: both branches yield the same names
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
        if n > 2:
            row = pl.yield_(16)
        else:
            line = pl.yield_(0)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
