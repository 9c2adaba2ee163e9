# case: core_scope_in_a_core_kernel
# expect: ok
# warns: scope-rule line=14
# arch: any
# entry: Whole.kern
# rule: in a core kernel `pl.at` says what holds anyway
import pypto.language as pl


@pl.program
class Whole:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            tile = pl.load(x, [0, 0], [64, 64])
            out = pl.store(pl.add(tile, tile), [0, 0], out)
        return out
