# case: b31_bare_name
# expect: ok
# arch: any
# entry: RouterBareName.kern
# blocked: w_up=[1, 4, 3, 16, 16]
# row: B31
import pypto.language as pl
from pypto.language import NZ


@pl.program
class RouterBareName:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        w_up: pl.Tensor[[48, 64], pl.FP16, NZ],
        dst: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
