# case: d16_max_with_8
# expect: reject offset-align line=25
# related-line=19
# def-line=23
# arch: any
# entry: VocabMaxWith8.kern
# mentions: shape[-2]; 16; 8
# at: r0
# row: D16
import pypto.language as pl


@pl.program
class VocabMaxWith8:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_up: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.max(lane * 48, 8)
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [r0, 0], [48, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
