# expect: ok
# also: information not-lowered line=11
# note: 100 times 100 rounds: checked at the ends of the loops that no longer fit
import pypto.language as pl


@pl.jit
def spread(x: pl.Tensor[[1, 64], pl.FP32], out: pl.Out[pl.Tensor[[10000, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.unroll(100):
            for j in pl.unroll(100):
                out[i * 100 + j : i * 100 + j + 1, :] = x[:, :]
    return out
