# case: e09_fp16_rows_80
# expect: ok
# arch: any
# gap: L19 w=65520
# row: E09
import pypto.language as pl


@pl.program
class Case:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[65600, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 80], pl.FP32]],
    ) -> pl.Tensor[[16, 80], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [80, 64], target_memory=pl.Mem.Mat)
        out = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], out)
        return out
