# case: g07_parameter_column
# expect: reject offset-sign line=25
# related-line=20
# arch: a2a3
# entry: StoreParameterColumn.kern
# mentions: shape[-1]; non-negative
# at: c * 8
# row: G07
import pypto.language as pl


@pl.program
class StoreParameterColumn:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        c: pl.Scalar[pl.INDEX],
        y_nz: pl.Out[pl.Tensor[[32, 128], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 128], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, c * 8], y_nz)
        return y_nz
