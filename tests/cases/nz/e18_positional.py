# case: e18_positional
# expect: reject valid-shape line=24
# related-line=20
# arch: any
# entry: LatentPositional.kern
# mentions: 16; 40
# at: 40
# alt-kind: rows-align
# note: valid_shape as the fourth positional argument
# row: E18
import pypto.language as pl


@pl.program
class LatentPositional:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [48, 64], [40, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
