# case: d36_unsigned_parameter
# expect: reject offset-sign line=26
# related-line=20
# def-line=24
# arch: any
# entry: UpUnsignedParameter.kern
# mentions: shape[-2]; non-negative
# at: r0
# note: an unsigned dtype is not among the provable forms
# row: D36
import pypto.language as pl


@pl.program
class UpUnsignedParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        first: pl.Scalar[pl.UINT32],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        r0 = first * 16
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
