# case: index_given_to_an_integer
# expect: ok
# arch: any
# entry: P.kern
# rule: an INDEX expression under an integer annotation is converted, not left to the assembler
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
        row: pl.Scalar[pl.INT32] = n * 16
        tile = pl.load(x, [row, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
