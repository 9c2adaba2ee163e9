# case: return_in_loop
# expect: reject return-place line=21
# arch: any
# entry: P.kern
# rule: a kernel returns at its end
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
        for i in pl.range(4):
            tile = pl.load(x, [0, 0], [16, 64])
            out = pl.store(tile, [0, 0], out)
            return out
