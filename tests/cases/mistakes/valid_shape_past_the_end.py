# case: valid_shape_past_the_end
# expect: reject loop-bounds line=22
# arch: any
# entry: ValidShapePastTheEnd.kern
# mentions: `i = 4`
# rule: a live part that is clamped to the wrong extent
import pypto.language as pl


@pl.program
class ValidShapePastTheEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(5):
            row = i * 16
            a = pl.load(f, [row, 0], [16, 64], valid_shape=[pl.min(16, 80 - row), 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
