# case: d32_carried_row
# expect: reject offset-align line=25
# related-line=19
# arch: any
# entry: CarriedRow.kern
# mentions: shape[-2]; 16
# at: row
# note: a carried value is never resolved: its initial value does not describe the one a use sees
# row: D32
import pypto.language as pl


@pl.program
class CarriedRow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[128, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        row = 0
        for i in pl.range(4):
            b = pl.load(w, [row, 0], [32, 64], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, i * 32], res)
            row = row + 32
        return res
