# case: string_constant_in_an_if
# expect: ok
# arch: any
# entry: P.kern
# rule: a condition on a string constant is decided while compiling
import pypto.language as pl


MODE = "fast"


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        if MODE == "fast":
            row = 16
        else:
            row = missing
        tile = pl.load(x, [row, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
