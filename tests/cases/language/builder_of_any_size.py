# expect: ok
# kernels: 1
# note: nothing calls the builder: its parameters stand for any size, as dynamic dimensions do
import pypto.language as pl


def build(batch: int, width: int):
    rows = batch * 16

    @pl.program
    class Doubled:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, x: pl.Tensor[[rows, width], pl.FP32], out: pl.Out[pl.Tensor[[rows, width], pl.FP32]]
        ) -> pl.Tensor[[rows, width], pl.FP32]:
            count = pl.tensor.dim(x, 0) // 16
            for b in pl.range(count):
                with pl.at(level=pl.Level.CORE_GROUP):
                    out[b * 16 : b * 16 + 16, 0:64] = pl.mul(x[b * 16 : b * 16 + 16, 0:64], 2.0)
            return out

    return Doubled
