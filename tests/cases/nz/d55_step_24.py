# case: d55_step_24
# expect: reject offset-align line=24
# related-line=19
# def-line=22
# arch: any
# entry: LatentStep24.kern
# mentions: shape[-2]; 16; 24
# at: i
# row: D (step)
import pypto.language as pl


@pl.program
class LatentStep24:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[4128, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        for i in pl.range(0, 4096, 24):
            x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_o, [i, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            dst = pl.store(acc, [0, 0], dst)
        return dst
