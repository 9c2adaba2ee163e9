# case: e02_int8_65552_by_16
# expect: reject gm-gap line=21
# related-line=17
# arch: any
# entry: ExpertInt865552By16.kern
# mentions: 65536; 65552; 16; 65535; pto-isa#317; temporary
# row: E02
import pypto.language as pl


@pl.program
class ExpertInt865552By16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        wt: pl.Tensor[[65552, 512], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 16], pl.INT32]],
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
