# case: a13_uint32_three_blocks
# expect: ok
# arch: a2a3
# entry: DownUint32ThreeBlocks.kern
# blocked: w_o=[1, 3, 2, 16, 8]
# strides: w_o=[768, 256, 128, 8, 1]
# offsets: L23 w_o=[0, 0, 0, 0, 0]
# sizes: L23 w_o=[1, 3, 2, 16, 8]
# tile: L23 w_l1=[32, 24]
# row: A13
import pypto.language as pl


@pl.program
class DownUint32ThreeBlocks:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP32],
        w_o: pl.Tensor[[32, 24], pl.UINT32, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w_o, [0, 0], [32, 24], target_memory=pl.Mem.Mat)
        t = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        dst = pl.store(t, [0, 0], dst)
        return dst
