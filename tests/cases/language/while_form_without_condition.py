# case: while_form_without_condition
# expect: reject loop-control line=19
# arch: any
# entry: P.kern
# rule: the first statement of a pl.while_ loop is its condition
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
        for (row,) in pl.while_(init_values=(0,)):
            row2 = row + 16
            (row3,) = pl.yield_(row2)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
