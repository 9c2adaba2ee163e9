# case: a17_dynamic_batch
# expect: ok
# arch: any
# entry: DownDynamicBatch.kern
# blocked: w_exp=[B, 4, 2, 16, 16]
# strides: w_exp=[2048, 512, 256, 16, 1]
# offsets: L25 w_exp=[0, 0, 0, 0, 0]
# sizes: L25 w_exp=[1, 4, 2, 16, 16]
# row: A17
import pypto.language as pl

B = pl.dynamic("B")


@pl.program
class DownDynamicBatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[32, 64], pl.FP16],
        w_exp: pl.Tensor[[B, 32, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ) -> pl.Tensor[[32, 32], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_exp, [0, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
