# case: e23_valid_rows_zero
# expect: reject valid-shape line=23
# related-line=19
# arch: any
# entry: DownValidRowsZero.kern
# mentions: 0
# at: 0
# alt-kind: rows-align
# row: E23
import pypto.language as pl


@pl.program
class DownValidRowsZero:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [64, 64], valid_shape=[0, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
