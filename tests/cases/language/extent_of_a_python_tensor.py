# expect: ok
# note: no memory holds a tensor of 2^62 rows: what the call says of shapes is not used
import pypto.language as pl
import torch


@pl.jit
def twice(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(x, x)
    return out


large = torch.empty((1 << 62, 64), dtype=torch.float32)
twice(large, large)
