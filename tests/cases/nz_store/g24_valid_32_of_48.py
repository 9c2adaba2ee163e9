# case: g24_valid_32_of_48
# expect: reject store-shape line=20
# arch: a2a3
# row: G24
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 16], pl.FP16],
        w: pl.Tensor[[16, 16], pl.FP16],
        y: pl.Out[pl.Tensor[[48, 16], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 16], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [48, 16], target_memory=pl.Mem.Mat, valid_shape=[32, 16])
        b = pl.load(w, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        y = pl.store(acc, [0, 0], y)
        return y
