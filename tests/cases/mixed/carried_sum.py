# expect: ok
# The vector core carries a sum that the cube core knows nothing of.
import pypto.language as pl

M = 64
K = 128
N = 64


@pl.program
class Mixed:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        bias: pl.Tensor[[M, N], pl.FP32],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        total = pl.load(bias, [0, 0], [M, N])
        for k in pl.range(0, K, 32):
            at = pl.load(a, [0, k], [M, 32], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [k, 0], [32, N], target_memory=pl.Mem.Mat)
            total = pl.add(total, pl.matmul(at, bt))
        out = pl.store(total, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        bias: pl.Tensor[[M, N], pl.FP32],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        out = self.kern(a, b, bias, out)
        return out
