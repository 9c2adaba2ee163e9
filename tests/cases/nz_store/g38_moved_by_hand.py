# case: g38_moved_by_hand
# expect: reject l0c line=25
# related-line=18
# mentions: 196608; 131072
# arch: a2a3
# entry: MovedByHand.kern
# row: G38
import pypto.language as pl


@pl.program
class MovedByHand:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[1024, 16], pl.FP16],
        w: pl.Tensor[[48, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[1024, 48], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[1024, 48], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [1024, 16], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [48, 16], target_memory=pl.Mem.Mat)
        left = pl.move(x_l1, target_memory=pl.Mem.Left)
        right = pl.move(pl.tile.transpose_view(w_l1), target_memory=pl.Mem.Right)
        acc = pl.matmul(left, right)
        y = pl.store(acc, [0, 0], y)
        return y
