# expect: ok
# The cube core overwrites what the vector core has loaded.
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
        work: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
        out: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            w = pl.load(work, [0, 0], [M, N])
            work = pl.store(pl.matmul(at, bt), [0, 0], work)
            out = pl.store(pl.add(w, 1.0), [0, 0], out)
        return out
