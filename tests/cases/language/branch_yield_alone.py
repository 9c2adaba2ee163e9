# case: branch_yield_alone
# expect: reject yield-mismatch line=19
# arch: any
# entry: P.kern
# rule: a yield in one branch needs one in the other
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
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
