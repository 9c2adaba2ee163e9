# expect: ok
# Through memory in a loop: each lane loads its half of what the cube core stored in this round.
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
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.range(0, M, 32):
                at = pl.load(a, [i, 0], [32, K], target_memory=pl.Mem.Mat)
                work = pl.store(pl.matmul(at, bt), [i, 0], work)
                w = pl.load(work, [i, 0], [32, N])
                out = pl.store(pl.add(w, 1.0), [i, 0], out)
        return out
