# expect: ok
# A product is needed through a loop in which others come and go.
import pypto.language as pl

M = 64
K = 64
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
        bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
        first = pl.matmul(pl.load(a, [0, 0], [16, K], target_memory=pl.Mem.Mat), bt)
        twice = pl.mul(first, 2.0)
        for i in pl.range(0, M, 16):
            acc = pl.matmul(pl.load(a, [i, 0], [16, K], target_memory=pl.Mem.Mat), bt)
            out = pl.store(pl.add(pl.add(acc, first), twice), [i, 0], out)
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
