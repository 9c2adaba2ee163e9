# expect: ok
# note: the shapes of `x` and `out` are those of the tensors that the file calls the kernel with
import torch

import pypto.language as pl


@pl.jit
def halve(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [16, 0], [16, 64])
        out = pl.store(pl.tile.muls(tile, 0.5), [16, 0], out)
    return out


if __name__ == "__main__":
    x = torch.randn([32, 64], dtype=torch.float32)
    out = torch.zeros_like(x)
    halve(x, out)
