# expect: ok
# Every block of a launch has lanes of its own: the number of the block is not that of the lane.
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
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
        halves: pl.Out[pl.Tensor[[M, N], pl.FP32]],
        alone: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        for i in pl.spmd(4):
            at = pl.load(a, [i * 16, 0], [16, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            out = pl.store(pl.add(pl.matmul(at, bt), pl.load(bias, [i * 16, 0], [16, N])), [i * 16, 0], out)
        for i in pl.spmd(4, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            at = pl.load(a, [i * 16, 0], [16, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            halves = pl.store(pl.sub(pl.matmul(at, bt), pl.load(bias, [i * 16, 0], [16, N])), [i * 16, 0], halves)
        with pl.at(level=pl.Level.CORE_GROUP):
            at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            alone = pl.store(pl.add(pl.matmul(at, bt), 1.0), [0, 0], alone)
        return out
