# case: g40_split_k_no_tile
# expect: reject l0c line=28
# related-line=18
# mentions: 2064
# arch: a2a3
# entry: SplitKNoTile.kern
# row: G40
import pypto.language as pl


@pl.program
class SplitKNoTile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[2064, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y: pl.Out[pl.Tensor[[2064, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[2064, 16], pl.FP32, pl.NZ]:
        acc = pl.create_tile([2064, 16], dtype=pl.FP32, target_memory=pl.Mem.Acc)
        for k0 in pl.pipeline(0, 64, 16, stage=2):
            x_l1 = pl.load(x, [0, k0], [2064, 16], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w, [0, k0], [16, 16], target_memory=pl.Mem.Mat)
            if k0 == 0:
                acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            else:
                acc = pl.matmul_acc(acc, x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
