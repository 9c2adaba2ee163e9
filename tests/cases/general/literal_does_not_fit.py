# case: literal_does_not_fit
# expect: reject type-mismatch line=15
# arch: any
# entry: Narrow.kern
# mentions: 300; INT8
# also: error type-mismatch line=16
# rule: a literal takes the width of its neighbour and must fit it
import pypto.language as pl


@pl.program
class Narrow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, n: pl.Scalar[pl.INT8]):
        k = n + 300
        c = pl.const(300, pl.INT8)
