# case: g36_full_l0c_but_not_l0a
# expect: reject l0c line=23
# related-line=18
# mentions: 2048; 131072
# arch: a2a3
# entry: FullL0cButNotL0a.kern
# row: G36
import pypto.language as pl


@pl.program
class FullL0cButNotL0a:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[2048, 16], pl.FP16],
        w: pl.Tensor[[16, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[2048, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[2048, 16], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [2048, 16], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
