# case: e09_fp16_rows_32
# expect: ok
# arch: any
# entry: MixerFp16Rows32.kern
# offsets: L23 w_kv=[0, 0, 0, 0, 0]
# sizes: L23 w_kv=[1, 4, 2, 16, 16]
# tile: L23 w_l1=[32, 64]
# gap: L23 w_kv=65504
# row: E09
import pypto.language as pl


@pl.program
class MixerFp16Rows32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[65536, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
