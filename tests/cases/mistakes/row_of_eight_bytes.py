# case: row_of_eight_bytes
# expect: reject tile-align line=20
# arch: any
# entry: RowOfEightBytes.kern
# mentions: 32; 8
# rule: rows of a Vec tile are whole 32-byte blocks
import pypto.language as pl


@pl.program
class RowOfEightBytes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 4])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
