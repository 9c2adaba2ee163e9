# expect: ok
# note: the calls with an output of 32 rows are written to fail
import pytest
import torch

import pypto.language as pl


@pl.jit
def halve(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:64, :] = pl.mul(x[0:64, :], 0.5)
    return out


large = torch.empty((64, 64), dtype=torch.float32)
small = torch.empty((32, 64), dtype=torch.float32)
with pytest.raises(ValueError):
    halve(large, small)
halve(large, large)
try:
    halve(large, small)
except ValueError:
    pass
