# case: b03_rows_17
# expect: reject rows-align line=17
# arch: any
# entry: RouterRows17.kern
# mentions: 16; 17
# at: pl.NZ
# row: B03
import pypto.language as pl


@pl.program
class RouterRows17:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[17, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 17], pl.FP32]],
    ) -> pl.Tensor[[16, 17], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [17, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
