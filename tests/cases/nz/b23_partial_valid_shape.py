# case: b23_partial_valid_shape
# expect: reject valid-shape line=17
# arch: any
# entry: DownPartialValidShape.kern
# mentions: valid_shape
# at: pl.TensorView(valid_shape=[32, 64], stride=[], layout=pl.TensorLayout.NZ)
# row: B23
import pypto.language as pl


@pl.program
class DownPartialValidShape:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[48, 64], pl.FP16, pl.TensorView(valid_shape=[32, 64], stride=[], layout=pl.TensorLayout.NZ)],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
