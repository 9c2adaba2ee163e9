# case: alias_of_itself
# expect: ok
# arch: any
# entry: AliasOfItself.kern
# warns: not-supported-yet line=21
# kernels: 1
# rule: a type that refers to its own name ends, and soon
import pypto.language as pl

T = pl.Tensor[[16, 64], pl.FP16]
T = pl.Tuple[T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T]


@pl.program
class AliasOfItself:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
    ) -> T:
        a = pl.load(act, [0, 0], [16, 64])
        res = pl.store(a, [0, 0], res)
        return res
