# case: misspelled_constant_in_a_window
# expect: reject undefined-name line=20
# at: TILE_N
# arch: any
# entry: MisspelledConstantInAWindow.kern
# rule: a constant of the module that does not exist
import pypto.language as pl


@pl.program
class MisspelledConstantInAWindow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, TILE_N])
        res = pl.store(a, [0, 0], res)
        return res
