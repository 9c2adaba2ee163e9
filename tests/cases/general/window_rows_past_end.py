# case: window_rows_past_end
# expect: reject bounds line=19
# arch: any
# entry: WindowRowsPastEnd.kern
# mentions: 24; 16; act
# rule: a constant window past the end
import pypto.language as pl


@pl.program
class WindowRowsPastEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [8, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
