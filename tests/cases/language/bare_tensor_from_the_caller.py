# case: bare_tensor_from_the_caller
# expect: reject bounds line=19
# arch: any
# entry: kern
# kernel: inner
# rule: a bare parameter has the type that the call gives
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:64, :] = x[0:64, :]
    return out


@pl.jit.incore
def inner(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    tile = pl.load(x, [0, 0], [96, 64])
    out = pl.store(tile, [0, 0], out)
    return out


@pl.jit
def outer(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[96, 64], pl.FP16]]):
    out = inner(x, out)
    return out
