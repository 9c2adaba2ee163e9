# case: d09_start_and_step_multiples
# expect: ok
# arch: any
# entry: VocabStartAndStepMultiples.kern
# blocked: wt=[1, 4, 34, 16, 16]
# offsets: L24 wt=[0, 0, floordiv(r, 16), 0, 0]
# sizes: L24 wt=[1, 4, 2, 16, 16]
# row: D09
import pypto.language as pl


@pl.program
class VocabStartAndStepMultiples:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        wt: pl.Tensor[[544, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        for r in pl.range(lane * 32, 512, 64):
            x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(wt, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
