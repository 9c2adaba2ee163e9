# case: e22_one_block_partition
# expect: ok
# arch: any
# entry: RouterOneBlockPartition.kern
# offsets: L23 w_gate=[0, 0, 0, 0, 0]
# sizes: L23 w_gate=[1, 1, 1, 16, 16]
# tile: L23 w_l1=[16, 32]
# note: a window of two blocks with a partition of one
# row: E22
import pypto.language as pl


@pl.program
class RouterOneBlockPartition:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 32], pl.FP16],
        w_gate: pl.Tensor[[65552, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 32], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [16, 32], valid_shape=[16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
