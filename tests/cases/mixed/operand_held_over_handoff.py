# expect: ok
# The cube core holds an operand while a tensor is handed over and another operand comes.
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
        work: pl.InOut[pl.Tensor[[M, N], pl.FP16]],
        out: pl.InOut[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
            va = pl.mul(pl.load(a, [0, 0], [M, K]), 2.0)
            p = pl.move(va, target_memory=pl.Mem.Mat)
            q = pl.matmul(p, bt)
            work = pl.store(pl.mul(va, 3.0), [0, 0], work)
            wt = pl.load(work, [0, 0], [M, K], target_memory=pl.Mem.Mat)
            q2 = pl.matmul(wt, bt)
            vb = pl.mul(va, 5.0)
            p2 = pl.move(vb, target_memory=pl.Mem.Mat)
            q3 = pl.matmul(p2, p)
            out = pl.store(pl.add(pl.add(q, q2), q3), [0, 0], out)
        return out
