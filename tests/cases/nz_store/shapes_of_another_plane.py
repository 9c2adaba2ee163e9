# case: shapes_of_another_plane
# expect: reject shape-mismatch line=24
# arch: a2a3
# entry: Gate.kern
# at: [32, 64]
# annotation: none
# mentions: has 32 rows; has 64
# rule: the window of a store has the rows of the tile
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        out: pl.Out[pl.Tensor[[32, 64], pl.FP32, pl.NZ]],
    ):
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out, shapes=[32, 64])
        return out
