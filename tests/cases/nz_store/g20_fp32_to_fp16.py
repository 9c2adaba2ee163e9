# case: g20_fp32_to_fp16
# expect: reject store-dtype line=23
# related-line=18
# arch: a2a3
# entry: StoreFp32ToFp16.kern
# mentions: FP32; FP16
# row: G20
import pypto.language as pl


@pl.program
class StoreFp32ToFp16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[16, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[32, 16], pl.FP16, pl.NZ]],
    ) -> pl.Tensor[[32, 16], pl.FP16, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
