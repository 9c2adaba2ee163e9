# case: a12_int32_plane
# expect: ok
# arch: a2a3
# entry: RouterInt32Plane.kern
# blocked: w=[1, 2, 4, 16, 8]
# strides: w=[1024, 512, 128, 8, 1]
# offsets: L23 w=[0, 0, 0, 0, 0]
# sizes: L23 w=[1, 2, 4, 16, 8]
# tile: L23 w_l1=[64, 16]
# row: A12
import pypto.language as pl


@pl.program
class RouterInt32Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[64, 16], pl.INT32, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w, [0, 0], [64, 16], target_memory=pl.Mem.Mat)
        t = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        y = pl.store(t, [0, 0], y)
        return y
