# expect: ok
# What the lanes make of their halves goes back whole; a second region has columns.
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
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            acc = pl.matmul(at, bt)
            for aiv in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                part = pl.tile.minimums(pl.tile.maximums(pl.aiv_shard(acc), -100.0), 100.0)
                whole = pl.aic_gather(pl.cast(part, target_type=pl.FP16, mode="rint"))
            again = pl.matmul(whole, bt)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
                out = pl.store(pl.aiv_shard(again), [0, lane * 32], out)
        return out
