# expect: ok
# The lanes have halves of one product as tiles, of the other through memory.
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
            at = pl.load(a, [0, 0], [32, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            acc = pl.matmul(at, bt)
            work = pl.store(pl.matmul(bt, bt), [0, 0], work)
            w = pl.load(work, [0, 0], [32, N])
            out = pl.store(pl.add(acc, w), [0, 0], out)
        return out
