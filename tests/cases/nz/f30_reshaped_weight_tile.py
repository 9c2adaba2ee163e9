# case: f30_reshaped_weight_tile
# expect: reject nz-reshape line=23
# arch: any
# entry: Gate.kern
# at: pl.reshape(w_l1, [64, 32])
# mentions: `w_l1`; [32, 64]; [64, 32]; `w`
# absent: reshape the loaded tile
# rule: a tile of fractals keeps its rows and columns: under another shape its bytes are other elements
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
    ):
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        turned = pl.reshape(w_l1, [64, 32])
        acc = pl.matmul(x_l1, turned)
        out = pl.store(acc, [0, 0], out)
        return out
