# expect: ok
# The order of pushes and pops survives the copies of a pipeline body.
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
        bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
        for i in pl.pipeline(0, M, 16, stage=2):
            at = pl.load(a, [i, 0], [16, K], target_memory=pl.Mem.Mat)
            acc = pl.matmul(at, bt)
            out = pl.store(pl.add(acc, pl.load(bias, [i, 0], [16, N])), [i, 0], out)
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
