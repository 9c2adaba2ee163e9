# case: function_type_from_a_string
# expect: reject bad-decorator line=11
# alt-kind: literal-required
# arch: any
# rule: a function type that is no member of pl.FunctionType
import pypto.language as pl


@pl.program
class FunctionTypeFromAString:
    @pl.function(type="InCore")
    def kern(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        a = pl.load(x, [0, 0], [64, 64])
        out = pl.store(a, [0, 0], out)
        return out
