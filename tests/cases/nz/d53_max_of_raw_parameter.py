# case: d53_max_of_raw_parameter
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: UpMaxOfRawParameter.kern
# mentions: shape[-1]; 16
# at: k0
# row: D (Max needs both multiples)
import pypto.language as pl


@pl.program
class UpMaxOfRawParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[64, 1024], pl.FP16, pl.NZ],
        s: pl.Scalar[pl.INDEX],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        k0 = pl.max(s, 64)
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
