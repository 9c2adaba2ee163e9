# expect: reject type-mismatch line=13
# at: pl.BF16
# mentions: FP32; pl.cast
import pypto.language as pl


@pl.jit
def product(a: pl.Tensor[[64, 64], pl.BF16], b: pl.Tensor[[64, 64], pl.BF16], out: pl.Out[pl.Tensor[[64, 64], pl.BF16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        left = pl.load(a, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)
        right = pl.load(b, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)
        # what is accumulated in FP32 is not BF16
        c = pl.matmul(left, right, out_dtype=pl.BF16)
        out = pl.store(c, [0, 0], out)
    return out
