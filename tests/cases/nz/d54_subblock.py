# case: d54_subblock
# expect: reject offset-sign line=25
# related-line=19
# def-line=23
# arch: any
# entry: ExpertSubblock.kern
# mentions: shape[-1]; non-negative
# at: k0
# row: D (only block idx and num are listed)
import pypto.language as pl


@pl.program
class ExpertSubblock:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[64, 1024], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        sub = pl.tile.get_subblock_idx()
        k0 = sub * 128
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
