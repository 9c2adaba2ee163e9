# case: dtype_bytes
# expect: ok
# arch: any
# entry: P.kern
# rule: a dtype knows its bytes
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
        row = pl.FP16.get_byte() * 8
        tile = pl.load(x, [row, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
