# case: d34_parameter_times_16
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: UpParameterTimes16.kern
# mentions: shape[-2]; non-negative
# at: r0
# row: D34
import pypto.language as pl


@pl.program
class UpParameterTimes16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        first: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        r0 = first * 16
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
