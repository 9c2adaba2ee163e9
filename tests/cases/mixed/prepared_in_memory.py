# expect: ok
# The vector core writes what the cube core loads, once a round in a window of its own.
import pypto.language as pl

M = 64
K = 64
N = 64


@pl.program
class Mixed:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        bias: pl.Tensor[[M, N], pl.FP32],
        scale: pl.Tensor[[1, N], pl.FP32],
        work: pl.Out[pl.Tensor[[M, K], pl.FP16]],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.pipeline(0, M, 16, stage=2):
                half = pl.mul(pl.load(a, [i, 0], [16, K]), 0.5)
                work = pl.store(half, [i, 0], work)
                at = pl.load(work, [i, 0], [16, K], target_memory=pl.Mem.Mat)
                acc = pl.matmul(at, bt)
                out = pl.store(pl.add(acc, pl.load(bias, [i, 0], [16, N])), [i, 0], out)
        return out
