# case: locals_passed_to_helpers
# expect: ok
# arch: any
# entry: kern
# rule: views, computed and allocated locals have types that a helper can take
import pypto.language as pl


@pl.jit.inline
def flat(a: pl.Tensor[[64, 64], pl.FP16]):
    t = pl.reshape(a, [16, 256])
    return t


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    mid = pl.create_tensor([128, 64], dtype=pl.FP16)
    with pl.at(level=pl.Level.CORE_GROUP):
        mid[64:128, :] = x[0:64, :]
        part = flat(mid[64:128, :])
        more = flat(pl.reshape(x, [64, 64]))
        out[0:16, :] = part[:, 0:64]
    return out
