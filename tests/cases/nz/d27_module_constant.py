# case: d27_module_constant
# expect: reject offset-sign line=25
# related-line=21
# arch: any
# entry: MixerModuleConstant.kern
# mentions: -32
# at: START
# alt-kind: negative-offset, bounds
# row: D27
import pypto.language as pl

START = -32


@pl.program
class MixerModuleConstant:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [START, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
