# expect: ok
# Each vector lane has half of the columns; a sum over the rows needs no other.
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
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.LEFT_RIGHT)]):
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.pipeline(0, M, 16, stage=2):
                at = pl.load(a, [i, 0], [16, K], target_memory=pl.Mem.Mat)
                acc = pl.matmul(at, bt)
                sums = pl.col_sum(acc)
                out = pl.store(pl.col_expand_add(pl.add(acc, pl.load(bias, [i, 0], [16, N])), sums), [i, 0], out)
        return out
