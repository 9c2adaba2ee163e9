"""A matmul kernel whose weight lies in global memory in NZ order.

`pl.NZ` says how the bytes of `weight` are ordered; shapes and windows stay logical. Because the weight already has the order
that the cube unit reads, its load needs no conversion.
"""

import pypto.language as pl


@pl.program
class NzMatmul:
    @pl.function(type=pl.FunctionType.InCore)
    def matmul(
        self,
        act: pl.Tensor[[32, 512], pl.INT8],
        weight: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
        out: pl.Out[pl.Tensor[[32, 256], pl.INT32]],
    ) -> pl.Tensor[[32, 256], pl.INT32]:
        act_l1 = pl.load(act, [0, 0], [32, 512], target_memory=pl.Mem.Mat)
        weight_l1 = pl.load(weight, [0, 0], [256, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(act_l1, pl.tile.transpose_view(weight_l1))
        out = pl.store(acc, [0, 0], out)
        return out
