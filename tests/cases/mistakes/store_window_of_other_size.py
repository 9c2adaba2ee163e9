# case: store_window_of_other_size
# expect: reject shape-mismatch line=21
# at: [64, 64]
# arch: any
# entry: StoreWindowOfOtherSize.kern
# rule: a window that does not hold the tile
import pypto.language as pl


@pl.program
class StoreWindowOfOtherSize:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [32, 64])
        res = pl.store(a, [0, 0], res, [64, 64])
        return res
