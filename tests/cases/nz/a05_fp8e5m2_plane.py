# case: a05_fp8e5m2_plane
# expect: ok
# arch: a5
# entry: ExpertFp8e5m2Plane.kern
# blocked: w_gate=[1, 2, 2, 16, 32]
# strides: w_gate=[2048, 1024, 512, 32, 1]
# offsets: L24 w_gate=[0, 0, 0, 0, 0]
# sizes: L24 w_gate=[1, 2, 2, 16, 32]
# tile: L24 w_l1=[32, 64]
# row: A05
import pypto.language as pl


@pl.program
class ExpertFp8e5m2Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP8E5M2],
        w_gate: pl.Tensor[[32, 64], pl.FP8E5M2, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
