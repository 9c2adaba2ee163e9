# expect: ok
# note: `out_dtype` may say what the matrix unit accumulates in
import pypto.language as pl


@pl.jit
def product(
    a: pl.Tensor[[64, 64], pl.FP16], b: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        left = pl.load(a, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)
        right = pl.load(b, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)
        out = pl.store(pl.matmul(left, right, out_dtype=pl.FP32), [0, 0], out)
    return out
