# case: e24_gap_on_a5
# expect: reject gm-gap line=21
# related-line=17
# arch: a5
# entry: LatentGapOnA5.kern
# mentions: 65536; 65535
# row: E24
import pypto.language as pl


@pl.program
class LatentGapOnA5:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[65552, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
