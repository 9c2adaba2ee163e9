# expect: reject type-mismatch line=18
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[64, 32], pl.FP16],
        out: pl.Out[pl.Tensor[[32, 32], pl.INT32]],
    ):
        a = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [64, 32], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        out = pl.store(acc, [0, 0], out)
        return out
