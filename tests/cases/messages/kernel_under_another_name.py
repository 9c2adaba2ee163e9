# case: kernel_under_another_name
# expect: ok
# arch: any
# entry: kern
# rule: a helper may be bound to another name, also by a condition on a text
import pypto.language as pl

WAY = "plain"


@pl.jit.inline
def plain(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Tensor[[64, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x[0:64, :], 1.0)
    return out


@pl.jit.inline
def other(x: pl.Tensor[[32, 64], pl.FP32], out: pl.Tensor[[32, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x[0:32, :], 2.0)
    return out


step = plain if WAY == "plain" else other


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    out = step(x, out)
    return out
