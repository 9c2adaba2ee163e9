# case: d08_symbolic_start
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: UpSymbolicStart.kern
# mentions: shape[-2]; 16
# at: r
# row: D08
import pypto.language as pl


@pl.program
class UpSymbolicStart:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_head: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        core = pl.tile.get_block_idx()
        for r in pl.range(core, 64, 16):
            x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_head, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            out = pl.store(acc, [0, 0], out)
        return out
