# case: while_carries
# expect: ok
# arch: any
# entry: P.kern
# rule: a while loop carries what its condition and body reassign
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
        row = 0
        while row < n:
            row = row + 16
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [row, 0], out)
        return out
