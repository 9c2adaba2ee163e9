# case: d52_clamped_parameter
# expect: ok
# arch: any
# entry: ProjClampedParameter.kern
# blocked: w_up=[1, 64, 4, 16, 16]
# offsets: L24 w_up=[0, floordiv(k0, 16), 0, 0, 0]
# sizes: L24 w_up=[1, 4, 4, 16, 16]
# row: D52
import pypto.language as pl


@pl.program
class ProjClampedParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_up: pl.Tensor[[64, 1024], pl.FP16, pl.NZ],
        s: pl.Scalar[pl.INDEX],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        k0 = pl.max(s, 0) * 32
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
