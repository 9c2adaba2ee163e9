# case: a06_hf8_plane
# expect: ok
# arch: a5
# entry: GateHf8Plane.kern
# blocked: w_gate=[1, 2, 2, 16, 32]
# strides: w_gate=[2048, 1024, 512, 32, 1]
# offsets: L23 w_gate=[0, 0, 0, 0, 0]
# sizes: L23 w_gate=[1, 2, 2, 16, 32]
# tile: L23 w_l1=[32, 64]
# row: A06
import pypto.language as pl


@pl.program
class GateHf8Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src_x: pl.Tensor[[16, 64], pl.FP32],
        w_gate: pl.Tensor[[32, 64], pl.HF8, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w_gate, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        t = pl.load(src_x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        out = pl.store(t, [0, 0], out)
        return out
