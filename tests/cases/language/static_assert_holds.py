# case: static_assert_holds
# expect: ok
# arch: any
# entry: P.kern
# rule: a static assertion that holds says nothing
import pypto.language as pl


ROWS = 64


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        pl.static_assert(ROWS % 32 == 0, "whole blocks")
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
