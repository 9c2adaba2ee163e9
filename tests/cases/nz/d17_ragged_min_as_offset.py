# case: d17_ragged_min_as_offset
# expect: reject offset-sign line=26
# related-line=20
# def-line=24
# arch: any
# entry: RouterRaggedMinAsOffset.kern
# mentions: shape[-2]; non-negative
# at: r0
# note: as a valid row count the same expression is fine
# row: D17
import pypto.language as pl


@pl.program
class RouterRaggedMinAsOffset:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[1056, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        for o0 in pl.range(0, 1024, 256):
            r0 = pl.min(800 - o0, 256)
            x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            out = pl.store(acc, [0, 0], out)
        return out
