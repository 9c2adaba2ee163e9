# case: e21_valid_cols_24
# expect: reject valid-shape line=23
# related-line=19
# arch: any
# entry: ProjValidCols24.kern
# mentions: 16; 24
# at: 24
# alt-kind: cols-align
# row: E21
import pypto.language as pl


@pl.program
class ProjValidCols24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [64, 64], valid_shape=[64, 24], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
