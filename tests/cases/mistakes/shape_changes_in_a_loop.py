# case: shape_changes_in_a_loop
# expect: reject reassignment line=22
# at: a
# arch: any
# entry: ShapeChangesInALoop.kern
# rule: a carried tile that changes its dtype
import pypto.language as pl


@pl.program
class ShapeChangesInALoop:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.range(4):
            a = pl.cast(a, pl.BF16)
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
