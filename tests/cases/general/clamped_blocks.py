# expect: ok
# arch: a3
# The last block's window ends past the tensor: what is loaded and stored ends with it.
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[40, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[48, 64], pl.FP32]],
):
    for b in pl.spmd(3, name_hint="rows"):
        t = pl.load(x, [b * 16, 0], [16, 64], clamp=True)
        pl.store(pl.add(t, 1.0), [b * 16, 0], out)
    return out
