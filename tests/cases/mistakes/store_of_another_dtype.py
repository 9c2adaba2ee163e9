# case: store_of_another_dtype
# expect: reject type-mismatch line=21
# arch: any
# entry: StoreOfAnotherDtype.kern
# mentions: FP16; FP32
# rule: an FP16 tile stored to an FP32 tensor
import pypto.language as pl


@pl.program
class StoreOfAnotherDtype:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
