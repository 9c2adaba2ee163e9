# case: a14_int64_plane
# expect: ok
# arch: a2a3
# entry: DownInt64Plane.kern
# blocked: w_gate=[1, 2, 2, 16, 4]
# strides: w_gate=[256, 128, 64, 4, 1]
# offsets: L23 w_gate=[0, 0, 0, 0, 0]
# sizes: L23 w_gate=[1, 2, 2, 16, 4]
# tile: L23 w_l1=[32, 8]
# row: A14
import pypto.language as pl


@pl.program
class DownInt64Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP32],
        w_gate: pl.Tensor[[32, 8], pl.INT64, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w_gate, [0, 0], [32, 8], target_memory=pl.Mem.Mat)
        t = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
