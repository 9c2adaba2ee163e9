# case: results_in_another_order
# expect: ok
# arch: any
# entry: Swapped.kern
import pypto.language as pl


@pl.program
class Swapped:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        a: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
        b: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> tuple[pl.Tensor[[16, 64], pl.FP32], pl.Tensor[[16, 64], pl.FP32]]:
        t = pl.load(x, [0, 0], [16, 64])
        u = pl.add(t, t)
        a = pl.store(t, [0, 0], a)
        b = pl.store(u, [0, 0], b)
        return b, a
