# case: valid_shape_larger_than_the_tile
# expect: reject shape-mismatch line=20
# at: 48
# arch: any
# entry: ValidShapeLargerThanTheTile.kern
# rule: a live part larger than the tile
import pypto.language as pl


@pl.program
class ValidShapeLargerThanTheTile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [32, 64], valid_shape=[48, 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
