# case: rebound_to_another_shape
# expect: reject reassignment line=22
# at: a
# arch: any
# entry: ReboundToAnotherShape.kern
# mentions: 32; 64
# rule: a name that changes its shape
import pypto.language as pl


@pl.program
class ReboundToAnotherShape:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [32, 64])
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
