# case: return_in_branch
# expect: ok
# arch: any
# entry: P.kern
# rule: a branch may end with a return of its own
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
        if n > 4:
            tile = pl.load(x, [0, 0], [16, 64])
            return pl.store(tile, [0, 0], out)
        return out
