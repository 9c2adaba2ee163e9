# case: b24_full_valid_shape
# expect: reject valid-shape line=17
# arch: any
# entry: UpFullValidShape.kern
# mentions: valid_shape
# at: pl.TensorView(valid_shape=[48, 64], layout=pl.TensorLayout.NZ)
# row: B24
import pypto.language as pl


@pl.program
class UpFullValidShape:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[48, 64], pl.FP16, pl.TensorView(valid_shape=[48, 64], layout=pl.TensorLayout.NZ)],
        res: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
