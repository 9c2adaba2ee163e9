# expect: reject bounds line=12
# also: information not-lowered line=11
# note: the fault is in the last round of loops too long to be read in full
import pypto.language as pl


@pl.jit
def spread(x: pl.Tensor[[1, 64], pl.FP32], out: pl.Out[pl.Tensor[[9999, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.unroll(100):
            for j in pl.unroll(100):
                out[i * 100 + j : i * 100 + j + 1, :] = x[:, :]
    return out
