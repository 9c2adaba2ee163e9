# case: b31_layout_variable
# expect: ok
# arch: any
# entry: ExpertLayoutVariable.kern
# blocked: wt=[1, 4, 3, 16, 16]
# row: B31
import pypto.language as pl

LAY = pl.NZ


@pl.program
class ExpertLayoutVariable:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[48, 64], pl.FP16, LAY],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
