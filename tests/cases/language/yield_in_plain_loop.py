# case: yield_in_plain_loop
# expect: reject yield-mismatch line=20
# arch: any
# entry: P.kern
# rule: a loop without init_values yields nothing
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
        a = 0
        for i in pl.range(4):
            a2 = pl.yield_(a)
        tile = pl.load(x, [0, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
