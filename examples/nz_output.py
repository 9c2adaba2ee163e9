"""Writes an FP32 accumulator straight into an NZ tensor (A2/A3), one panel of a leading axis at a time.

A panel is stored with all its rows: the instruction takes the distance between column blocks from the height of what is
stored. Columns may be tiled.
"""

import pypto.language as pl


@pl.program
class NzPanels:
    @pl.function(type=pl.FunctionType.InCore)
    def project(
        self,
        x: pl.Tensor[[3, 48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        panels: pl.Out[pl.Tensor[[3, 48, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[3, 48, 32], pl.FP32, pl.NZ]:
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        for p in pl.range(3):
            x_p = pl.load(x, [p, 0, 0], [1, 48, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(pl.reshape(x_p, [48, 64]), pl.tile.transpose_view(w_l1))
            panels = pl.store(acc, [p, 0, 0], panels)
        return panels
