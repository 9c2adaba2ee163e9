# expect: ok
# Of the product only some rows are live when it goes to the vector core: a number that is written down, and one that
# the last round decides.
import pypto.language as pl

M = 40
N = 32
K = 32


@pl.program
class Live:
    @pl.function(type=pl.FunctionType.InCore)
    def five(
        self,
        a: pl.Tensor[[5, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        out: pl.Out[pl.Tensor[[5, N], pl.FP32]],
    ) -> pl.Tensor[[5, N], pl.FP32]:
        at = pl.load(a, [0, 0], [16, K], valid_shape=[5, K], target_memory=pl.Mem.Mat)
        bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
        out = pl.store(pl.add(pl.matmul(at, bt), 1.0), [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def ragged(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
        for i in pl.range(0, M, 16):
            rows = pl.min(M - i, 16)
            at = pl.load(a, [i, 0], [16, K], valid_shape=[rows, K], target_memory=pl.Mem.Mat)
            out = pl.store(pl.add(pl.matmul(at, bt), 1.0), [i, 0], out)
        return out
