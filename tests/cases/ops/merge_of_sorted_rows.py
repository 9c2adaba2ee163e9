# expect: ok
# Two sorted rows become one.
import pypto.language as pl


@pl.jit.incore
def kern(
    x: pl.Tensor[[1, 256], pl.FP32],
    z: pl.Out[pl.Tensor[[1, 512], pl.FP32]],
):
    a = pl.load(x, [0, 0], [1, 256])
    i = pl.tile.arange(0, [1, 256], dtype=pl.UINT32)
    s = pl.tile.sort32(a, i)
    s = pl.tile.mrgsort(s, block_len=64)
    t = pl.tile.create([1, 512], dtype=pl.FP32)
    s = pl.tile.mrgsort(s[:, 0:256], s[:, 256:512], tmp=t)
    z = pl.store(s, [0, 0], z)
    return z
