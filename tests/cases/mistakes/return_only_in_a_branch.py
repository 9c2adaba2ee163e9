# expect: reject return-place line=12
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        if n > 4:
            t = pl.load(x, [0, 0], [64, 64])
            return pl.store(t, [0, 0], out)
