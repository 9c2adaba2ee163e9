# case: d01_block_idx_row
# expect: ok
# arch: any
# entry: GateBlockIdxRow.kern
# blocked: wt=[1, 4, 12, 16, 16]
# offsets: L24 wt=[0, 0, floordiv(r0, 16), 0, 0]
# sizes: L24 wt=[1, 4, 3, 16, 16]
# row: D01
import pypto.language as pl


@pl.program
class GateBlockIdxRow:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = lane * 48
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [r0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
