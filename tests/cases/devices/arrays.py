# expect: ok
# An array of scalars counts which rows go where; it is one array inside and behind every loop and branch.
import pypto.language as pl

N = 4


@pl.program
class Counts:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 16], pl.FP32],
        y: pl.Out[pl.Tensor[[64, 16], pl.FP32]],
    ) -> pl.Tensor[[64, 16], pl.FP32]:
        cursor = pl.array.create(N, pl.INT32)
        for d in pl.range(N):
            cursor[d] = d * 16
        for i in pl.range(64):
            lane = i % N
            at = pl.cast(cursor[lane], pl.INDEX)
            if lane != 2:
                cursor[lane] = cursor[lane] + 1
            else:
                cursor[lane] = 47 - (cursor[lane] - 32) + 32 - 31
            row = pl.load(x, [i, 0], [1, 16])
            if at < 64:
                y = pl.store(row, [at, 0], y)
        return y
