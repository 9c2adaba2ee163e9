# case: b05_fp16_cols_176
# expect: ok
# arch: any
# entry: MixerFp16Cols176.kern
# blocked: w_o=[1, 11, 4, 16, 16]
# strides: w_o=[11264, 1024, 256, 16, 1]
# offsets: L24 w_o=[0, 0, 0, 0, 0]
# sizes: L24 w_o=[1, 11, 4, 16, 16]
# tile: L24 w_l1=[64, 176]
# row: B05
import pypto.language as pl


@pl.program
class MixerFp16Cols176:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 176], pl.FP16],
        w_o: pl.Tensor[[64, 176], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 176], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [64, 176], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
