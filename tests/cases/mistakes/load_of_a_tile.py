# case: load_of_a_tile
# expect: reject type-mismatch line=22
# at: a
# arch: any
# entry: LoadOfATile.kern
# mentions: tile
# rule: a load of what is loaded already
import pypto.language as pl


@pl.program
class LoadOfATile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.load(a, [0, 0], [32, 64])
        res = pl.store(a, [0, 0], res)
        return res
