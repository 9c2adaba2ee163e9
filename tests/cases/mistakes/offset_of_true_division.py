# case: offset_of_true_division
# expect: reject type-mismatch line=22
# at: HALF
# arch: any
# entry: OffsetOfTrueDivision.kern
# rule: `/` gives a float
import pypto.language as pl


@pl.program
class OffsetOfTrueDivision:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        i = pl.tile.get_block_idx()
        HALF = 64 / 2
        a = pl.load(f, [HALF, 0], [32, 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
