# expect: ok
# note: the same bytes column by column: the last two extents change places
import pypto.language as pl


@pl.program
class Turned:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 8], pl.FP32], out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]
    ) -> pl.Tensor[[8, 16], pl.FP32]:
        turned: pl.Tensor[[8, 16], pl.FP32, pl.TensorView(stride=[1, 8], layout=pl.TensorLayout.DN)] = pl.tensor.view(
            x, layout=pl.TensorLayout.DN
        )
        tile = pl.load(turned, [0, 0], [8, 16])
        return pl.store(tile, [0, 0], out)
