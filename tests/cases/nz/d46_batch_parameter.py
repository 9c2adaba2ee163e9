# case: d46_batch_parameter
# expect: ok
# arch: any
# entry: GateBatchParameter.kern
# offsets: L22 w_head=[e, 0, 0, 0, 0]
# may-warn: offset-sign
# row: D46
import pypto.language as pl


@pl.program
class GateBatchParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w_head: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
        e: pl.Scalar[pl.INDEX],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_head, [e, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
