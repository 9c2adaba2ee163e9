# expect: ok
# Each vector lane has half of the rows, in a loop whose windows begin anywhere.
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
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            for i in pl.range(0, M, 32):
                at = pl.load(a, [i, 0], [32, K], target_memory=pl.Mem.Mat)
                acc = pl.matmul(at, bt)
                row = pl.load(scale, [0, 0], [1, N])
                scaled = pl.col_expand_mul(pl.add(acc, pl.load(bias, [i, 0], [32, N])), row)
                tmp = pl.create_tile([32, N], dtype=pl.FP32, target_memory=pl.Mem.Vec)
                most = pl.row_max(scaled, tmp)
                out = pl.store(pl.row_expand_sub(scaled, most), [i, 0], out)
        return out
