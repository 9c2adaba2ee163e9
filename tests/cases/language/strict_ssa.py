# case: strict_ssa
# expect: reject assigned-twice line=19
# arch: any
# entry: P.kern
# rule: strict_ssa binds every name once
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, strict_ssa=True)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        row = 0
        row = 16
        tile = pl.load(x, [0, 0], [16, 64])
        done = pl.store(tile, [0, 0], out)
        return done
