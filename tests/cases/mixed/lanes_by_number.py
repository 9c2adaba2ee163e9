# expect: ok
# Both lanes have all of the product and do what their number says.
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
            for aiv in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                whole = pl.aiv_shard(acc)
                for i in pl.range(aiv, 4, 2):
                    part = pl.slice(whole, [16, N], [i * 16, 0])
                    out = pl.store(pl.add(part, pl.load(bias, [i * 16, 0], [16, N])), [i * 16, 0], out)
        return out
