# case: matrix_tile_of_four_columns
# expect: reject tile-align line=21
# arch: any
# entry: MatrixTileOfFourColumns.kern
# mentions: 4; 16
# rule: the columns of a Mat tile are whole C0 lines
import pypto.language as pl


@pl.program
class MatrixTileOfFourColumns:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 128], target_memory=pl.Mem.Mat)
        b = pl.load(y, [0, 0], [128, 4], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        res = pl.store(acc, [0, 0], res)
        return res
