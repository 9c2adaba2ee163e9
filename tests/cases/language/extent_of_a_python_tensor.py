# expect: ok
# warns: not-checked line=8
# note: no memory holds a tensor of 2^62 rows: what the call says of shapes is not used
import pypto.language as pl
import torch


@pl.jit
def twice(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:64, :] = pl.add(x[0:64, :], x[0:64, :])
    return out


large = torch.empty((1 << 62, 64), dtype=torch.float32)
twice(large, large)
