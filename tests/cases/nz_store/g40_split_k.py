# case: g40_split_k
# expect: ok
# chunks: L27 y=[128]
# arch: a2a3
# entry: SplitK.kern
# row: G40
import pypto.language as pl


@pl.program
class SplitK:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 512], pl.FP16],
        w: pl.Tensor[[128, 512], pl.FP16],
        y: pl.Out[pl.Tensor[[64, 128], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[64, 128], pl.FP32, pl.NZ]:
        acc = pl.create_tile([64, 128], dtype=pl.FP32, target_memory=pl.Mem.Acc)
        for k0 in pl.pipeline(0, 512, 128, stage=2):
            x_l1 = pl.load(x, [0, k0], [64, 128], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w, [0, k0], [128, 128], target_memory=pl.Mem.Mat)
            if k0 == 0:
                acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            else:
                acc = pl.matmul_acc(acc, x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
