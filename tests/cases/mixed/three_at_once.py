# expect: ok
# Three products wait on the vector core, and the first is needed last: the pipe takes back in order.
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
        p0 = pl.matmul(pl.load(a, [0, 0], [16, K], target_memory=pl.Mem.Mat), bt)
        p1 = pl.matmul(pl.load(a, [16, 0], [16, K], target_memory=pl.Mem.Mat), bt)
        p2 = pl.matmul(pl.load(a, [32, 0], [16, K], target_memory=pl.Mem.Mat), bt)
        s = pl.add(pl.add(p0, p1), pl.add(p2, p0))
        for i in pl.range(0, M, 16):
            out = pl.store(s, [i, 0], out)
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
