# case: missing_yield
# expect: reject wrong-arguments line=23
# alt-kind: yield-mismatch, not-allowed-in-kernel, type-mismatch
# arch: any
# entry: MissingYield.kern
# rule: a loop with init_values whose body yields too few values
import pypto.language as pl


@pl.program
class MissingYield:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i, (acc, other) in pl.range(4, init_values=(a, a)):
            b = pl.add(acc, other)
            acc2 = pl.yield_(b)
        res = pl.store(a, [0, 0], res)
        return res
