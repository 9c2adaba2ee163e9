# expect: ok
# The same by the number of the lane.
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
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.range(0, M, 32):
                at = pl.load(a, [i, 0], [32, K], target_memory=pl.Mem.Mat)
                work = pl.store(pl.matmul(at, bt), [i, 0], work)
                for aiv in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                    row = i + aiv * 16
                    w = pl.load(work, [row, 0], [16, N])
                    out = pl.store(pl.add(w, 1.0), [row, 0], out)
        return out
