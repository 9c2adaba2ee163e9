# case: d40_doubling_chain_unaligned
# expect: reject offset-align line=36
# related-line=18
# arch: any
# entry: MixerDoublingChainUnaligned.kern
# mentions: shape[-2]; 16
# at: x12
# row: D40
import pypto.language as pl


@pl.program
class MixerDoublingChainUnaligned:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[4096, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x0 = lane
        x1 = x0 + x0
        x2 = x1 + x1
        x3 = x2 + x2
        x4 = x3 + x3
        x5 = x4 + x4
        x6 = x5 + x5
        x7 = x6 + x6
        x8 = x7 + x7
        x9 = x8 + x8
        x10 = x9 + x9
        x11 = x10 + x10
        x12 = x11 + x11
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [x12, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
