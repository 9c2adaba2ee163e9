# expect: ok
# note: under `strict_ssa` a name is bound once a block; a block inside may bind it anew
import pypto.language as pl


@pl.program
class Strict:
    @pl.function(type=pl.FunctionType.InCore, strict_ssa=True)
    def kernel(self, x: pl.Tensor[[64], pl.FP32], n: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:
        count: pl.Scalar[pl.INT32] = 0
        if n > 3:
            count: pl.Scalar[pl.INT32] = 1
        return count
