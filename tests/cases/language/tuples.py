# case: tuples
# expect: ok
# arch: any
# entry: P.kern
# rule: tuples are taken apart by constant indices
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
        pair = (0, 16)
        a, b = pair
        tile = pl.load(x, [pair[1], 0], [16, 64])
        out = pl.store(tile, [b - a, 0], out)
        return out
