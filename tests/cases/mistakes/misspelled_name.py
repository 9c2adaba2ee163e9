# case: misspelled_name
# expect: reject undefined-name line=22
# at: tile_aa
# arch: any
# entry: MisspelledName.kern
# mentions: tile_a
# rule: a name that nothing binds, with the nearest that is bound
import pypto.language as pl


@pl.program
class MisspelledName:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        tile_a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(tile_aa, [0, 0], res)
        return res
