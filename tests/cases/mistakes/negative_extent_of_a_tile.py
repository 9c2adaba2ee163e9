# case: negative_extent_of_a_tile
# expect: reject shape-mismatch line=20
# at: -16
# arch: any
# entry: NegativeExtentOfATile.kern
# rule: an extent below 0
import pypto.language as pl


@pl.program
class NegativeExtentOfATile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.create_tile([-16, 64], dtype=pl.FP32)
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
