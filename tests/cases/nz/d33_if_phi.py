# case: d33_if_phi
# expect: reject offset-align line=27
# related-line=18
# arch: any
# entry: EitherRow.kern
# mentions: shape[-2]; 16
# at: r
# row: D33
import pypto.language as pl


@pl.program
class EitherRow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        flag: pl.Scalar[pl.BOOL],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        if flag:
            r = 0
        else:
            r = 32
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
