# case: d05_start_16_of_32
# expect: reject offset-align line=24
# related-line=19
# def-line=22
# arch: any
# entry: LatentStart16Of32.kern
# mentions: shape[-1]; 32
# at: k0
# row: D05
import pypto.language as pl


@pl.program
class LatentStart16Of32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.INT8],
        w_o: pl.Tensor[[64, 320], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        for k0 in pl.range(16, 256, 32):
            x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            w_l1 = pl.load(w_o, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
            res = pl.store(acc, [0, 0], res)
        return res
