# case: carried_offset_runs_too_far
# expect: reject loop-bounds line=23
# at: row
# arch: any
# entry: CarriedOffsetRunsTooFar.kern
# mentions: `i = 4`; 64..80
# rule: an offset that every iteration adds to
import pypto.language as pl


@pl.program
class CarriedOffsetRunsTooFar:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        row = 0
        for i in pl.range(5):
            a = pl.load(f, [row, 0], [16, 64])
            res = pl.store(a, [0, 0], res)
            row = row + 16
        return res
