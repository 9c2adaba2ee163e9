# case: bare_yield
# expect: reject not-allowed-in-kernel line=23
# alt-kind: wrong-arguments, yield-mismatch
# arch: any
# entry: BareYield.kern
# rule: a yield whose values nothing receives
import pypto.language as pl


@pl.program
class BareYield:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i, (acc,) in pl.range(4, init_values=(a,)):
            b = pl.add(acc, a)
            pl.yield_(b)
        res = pl.store(a, [0, 0], res)
        return res
