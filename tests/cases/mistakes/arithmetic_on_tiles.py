# case: arithmetic_on_tiles
# expect: reject type-mismatch line=21
# arch: any
# entry: ArithmeticOnTiles.kern
# mentions: scalars
# rule: `+` is for scalars
import pypto.language as pl


@pl.program
class ArithmeticOnTiles:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = a + a
        res = pl.store(a, [0, 0], res)
        return res
