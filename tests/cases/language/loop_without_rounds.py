# expect: ok
# note: the loads past the end are in a loop that has no round, and under a condition that never holds
import pypto.language as pl

N = pl.dynamic("N")
M = pl.dynamic("M")


@pl.program
class Never:
    @pl.function(type=pl.FunctionType.InCore)
    def main(
        self,
        x: pl.Tensor[[N, 64], pl.FP32],
        y: pl.Tensor[[M, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[N, 64], pl.FP32]],
    ) -> pl.Tensor[[N, 64], pl.FP32]:
        n = pl.tensor.dim(x, 0)
        m = pl.tensor.dim(y, 0)
        for _ in pl.range(0, m - m):
            t = pl.load(x, [n, 0], [1, 64])
            out = pl.store(t, [0, 0], out)
        if m < 1:
            t = pl.load(x, [n, 0], [1, 64])
            out = pl.store(t, [0, 0], out)
        return out
