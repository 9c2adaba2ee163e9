# case: g44_annotation_first
# expect: reject rows-align line=18
# arch: a2a3
# entry: OutRows72.kern
# mentions: 16; 72
# at: pl.NZ
# row: G44
import pypto.language as pl


@pl.program
class OutRows72:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[72, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[72, 32], pl.FP32, pl.NZ]],
    ):
        a = pl.load(x, [0, 0], [72, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        y_nz = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], y_nz)
        return y_nz
