# expect: ok
# Each round the product goes to memory, is changed there by the vector core, and is used as a tile all the same.
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
            for i in pl.range(0, M, 16):
                at = pl.load(a, [i, 0], [16, K], target_memory=pl.Mem.Mat)
                p = pl.matmul(at, bt)
                work = pl.store(p, [i, 0], work)
                w = pl.add(pl.load(work, [i, 0], [16, N]), 1.0)
                work = pl.store(w, [i, 0], work)
                h = pl.cast(pl.tile.minimums(pl.tile.maximums(w, -100.0), 100.0), target_type=pl.FP16, mode="rint")
                q = pl.matmul(h, bt)
                out = pl.store(pl.add(q, p), [i, 0], out)
        return out
