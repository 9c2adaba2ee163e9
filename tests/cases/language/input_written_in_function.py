# case: input_written_in_function
# expect: reject input-written line=20
# arch: any
# entry: P.kern
# mentions: declared an input here
# rule: an InCore function declares what it writes
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
        tile = pl.load(x, [0, 0], [16, 64])
        x = pl.store(tile, [16, 0], x)
        return x
