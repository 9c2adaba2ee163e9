# case: rebinding_in_function
# expect: reject reassignment line=19
# arch: any
# entry: P.kern
# rule: a @pl.function keeps the type of a name
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
        t = pl.load(x, [0, 0], [32, 64])
        t = pl.load(x, [0, 0], [16, 64])
        out = pl.store(t, [0, 0], out)
        return out
