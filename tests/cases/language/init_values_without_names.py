# case: init_values_without_names
# expect: reject yield-mismatch line=18
# arch: any
# entry: P.kern
# rule: init_values and the names of the loop come together
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
        for i in pl.range(4, init_values=(0,)):
            row = i
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
