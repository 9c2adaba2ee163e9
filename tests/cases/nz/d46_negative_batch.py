# case: d46_negative_batch
# expect: reject offset-sign line=23
# related-line=19
# arch: any
# entry: UpNegativeBatch.kern
# mentions: -1
# at: -1
# alt-kind: negative-offset, bounds
# row: D46
import pypto.language as pl


@pl.program
class UpNegativeBatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[4, 32, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_gate, [-1, 0, 0], [1, 32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [32, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
