# case: d37_read_from_gm
# expect: reject offset-sign line=26
# related-line=19
# def-line=24
# arch: any
# entry: ProjReadFromGm.kern
# mentions: shape[-2]; non-negative
# at: r0
# row: D37
import pypto.language as pl


@pl.program
class ProjReadFromGm:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        table: pl.Tensor[[64], pl.INT32],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.read(table, [lane]) * 16
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
