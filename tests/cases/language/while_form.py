# case: while_form
# expect: ok
# arch: any
# entry: P.kern
# rule: pl.while_ asks pl.cond before every round
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
        for (row, left) in pl.while_(init_values=(0, n)):
            pl.cond(left > 0)
            row2 = row + 16
            left2 = left - 1
            row, left = pl.yield_(row2, left2)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [row, 0], out)
        return out
