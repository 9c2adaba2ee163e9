# expect: ok
# The halves of both lanes are an operand of the cube core again; a whole row is turned into a column of halves.
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
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            acc = pl.matmul(at, bt)
            column = pl.reshape(pl.load(scale, [0, 0], [1, N]), [N, 1])
            small = pl.tile.minimums(pl.tile.maximums(pl.row_expand_add(acc, column), -100.0), 100.0)
            again = pl.matmul(pl.cast(small, target_type=pl.FP16, mode="rint"), bt)
            out = pl.store(pl.add(again, small), [0, 0], out)
        return out
