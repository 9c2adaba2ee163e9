# expect: ok
# A region for both lanes: each takes its half of the product and says where it goes.
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
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.range(0, M, 32):
                at = pl.load(a, [i, 0], [32, K], target_memory=pl.Mem.Mat)
                acc = pl.matmul(at, bt)
                for aiv in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                    row = i + aiv * 16
                    part = pl.add(pl.aiv_shard(acc), pl.load(bias, [row, 0], [16, N]))
                    out = pl.store(part, [row, 0], out)
        return out
