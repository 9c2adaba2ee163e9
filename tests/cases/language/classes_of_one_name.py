# expect: ok
# kernels: 4
# note: two builders each have a class `Pair`; a method calls the kernel of its own class
import pypto.language as pl


def narrow():
    @pl.program
    class Pair:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
            return pl.store(pl.load(x, [0, 0], [32, 64]), [0, 0], out)

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, x: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
            out = self.kernel(x, out)
            return out

    return Pair


def wide():
    @pl.program
    class Pair:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self,
            x: pl.Tensor[[32, 128], pl.FP32],
            y: pl.Tensor[[32, 128], pl.FP32],
            out: pl.Out[pl.Tensor[[32, 128], pl.FP32]],
        ) -> pl.Tensor[[32, 128], pl.FP32]:
            left = pl.load(x, [0, 0], [32, 128])
            right = pl.load(y, [0, 0], [32, 128])
            return pl.store(pl.add(left, right), [0, 0], out)

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self,
            x: pl.Tensor[[32, 128], pl.FP32],
            out: pl.Out[pl.Tensor[[32, 128], pl.FP32]],
        ) -> pl.Tensor[[32, 128], pl.FP32]:
            out = self.kernel(x, x, out)
            return out

    return Pair
