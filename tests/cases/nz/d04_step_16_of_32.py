# case: d04_step_16_of_32
# expect: reject offset-align line=24
# related-line=19
# def-line=22
# arch: any
# entry: MixerStep16Of32.kern
# mentions: shape[-1]; 32
# at: k0
# row: D04
import pypto.language as pl


@pl.program
class MixerStep16Of32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 32], pl.INT8],
        w_o: pl.Tensor[[64, 64], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        for k0 in pl.pipeline(0, 32, 16, stage=2):
            x_l1 = pl.load(act, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_o, [0, k0], [64, 32], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            y = pl.store(acc, [0, 0], y)
        return y
