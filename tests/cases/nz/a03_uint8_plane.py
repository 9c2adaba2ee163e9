# case: a03_uint8_plane
# expect: ok
# arch: a2a3
# entry: LatentUint8Plane.kern
# blocked: w_head=[1, 3, 3, 16, 32]
# strides: w_head=[4608, 1536, 512, 32, 1]
# offsets: L23 w_head=[0, 0, 0, 0, 0]
# sizes: L23 w_head=[1, 3, 3, 16, 32]
# tile: L23 w_l1=[48, 96]
# row: A03
import pypto.language as pl


@pl.program
class LatentUint8Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP32],
        w_head: pl.Tensor[[48, 96], pl.UINT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w_head, [0, 0], [48, 96], target_memory=pl.Mem.Mat)
        t = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
