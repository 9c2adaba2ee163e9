# expect: ok
# A prefetch changes nothing that is computed.
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[16, 64], pl.FP32], z: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    flat = pl.reshape(x, [16 * 64])
    with pl.at(level=pl.Level.CORE_GROUP):
        context = pl.prefetch.make_context()
        pl.prefetch.async_prefetch(flat, context)
        z[:, :] = pl.add(x[:, :], 1.0)
    return z
