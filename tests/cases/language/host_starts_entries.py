# case: host_starts_entries
# expect: ok
# arch: any
# entry: driver
# rule: a host function starts entries on devices
import pypto.language as pl


@pl.jit
def entry(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out


@pl.jit.host
def driver(x: pl.Tensor[[2, 64, 64], pl.FP16], out: pl.Out[pl.Tensor[[2, 64, 64], pl.FP16]]):
    for r in pl.range(2):
        entry(x[r], out[r], device=r)
