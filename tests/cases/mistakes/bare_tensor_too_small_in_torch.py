# expect: reject bounds line=11
# note: the tensor that the file calls the kernel with has 24 rows
import torch

import pypto.language as pl


@pl.jit
def halve(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [16, 0], [16, 64])
        out = pl.store(pl.tile.muls(tile, 0.5), [0, 0], out)
    return out


if __name__ == "__main__":
    x = torch.randn([24, 64], dtype=torch.float32)
    out = torch.zeros_like(x)
    halve(x, out)
