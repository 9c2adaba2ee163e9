# case: results_of_a_loop_without_yield
# expect: ok
# arch: any
# entry: P.kern
# rule: a loop with init_values and no yield calls its results name_out
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
        for i, (row,) in pl.range(2, init_values=(0,)):
            row = row + 16
        tile = pl.load(x, [row_out, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
