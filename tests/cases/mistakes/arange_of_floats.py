# case: arange_of_floats
# expect: reject type-mismatch line=20
# arch: any
# entry: ArangeOfFloats.kern
# mentions: FP32
# rule: a counting tile is of integers
import pypto.language as pl


@pl.program
class ArangeOfFloats:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.tile.arange(0, [1, 64], dtype=pl.FP32)
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
