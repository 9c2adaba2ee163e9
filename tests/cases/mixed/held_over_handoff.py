# expect: ok
# A product is held while another goes through memory and a third comes: none of them takes its place.
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
            at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            p = pl.matmul(at, bt)
            x = pl.add(p, 1.0)
            work = pl.store(pl.matmul(bt, at), [0, 0], work)
            w = pl.load(work, [0, 0], [M, N])
            q = pl.matmul(bt, bt)
            s = pl.add(q, w)
            r = pl.sub(s, p)
            out = pl.store(pl.add(r, x), [0, 0], out)
        return out
