# case: closure_constants
# expect: ok
# arch: any
# blocked: w=[1, 4, 6, 16, 16]
# offsets: L21 w=[0, 0, 2, 0, 0]
# rule: closure constants and defaults of a builder are followed
import pypto.language as pl


def build(rows=96, start=32):
    @pl.program
    class Closure:
        @pl.function(type=pl.FunctionType.InCore)
        def kern(
            self,
            act: pl.Tensor[[16, 64], pl.FP16],
            w: pl.Tensor[[rows, 64], pl.FP16, pl.NZ],
            res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            b = pl.load(w, [start, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(a, pl.tile.transpose_view(b))
            res = pl.store(acc, [0, 0], res)
            return res

    return Closure
