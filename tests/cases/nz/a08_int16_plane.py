# case: a08_int16_plane
# expect: ok
# arch: a2a3
# entry: ProjInt16Plane.kern
# blocked: bank=[1, 3, 2, 16, 16]
# strides: bank=[1536, 512, 256, 16, 1]
# offsets: L23 bank=[0, 0, 0, 0, 0]
# sizes: L23 bank=[1, 3, 2, 16, 16]
# tile: L23 w_l1=[32, 48]
# row: A08
import pypto.language as pl


@pl.program
class ProjInt16Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP32],
        bank: pl.Tensor[[32, 48], pl.INT16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(bank, [0, 0], [32, 48], target_memory=pl.Mem.Mat)
        t = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
