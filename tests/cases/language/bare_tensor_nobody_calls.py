# case: bare_tensor_nobody_calls
# expect: ok
# arch: any
# entry: kern
# rule: without a call the shape of a bare parameter is not known, and nothing is said
import pypto.language as pl


@pl.jit.incore
def kern(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    tile = pl.load(x, [0, 0], [96, 64])
    out = pl.store(tile, [0, 0], out)
    return out
