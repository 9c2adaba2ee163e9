# case: a07_fp8e8m0_plane
# expect: ok
# arch: a5
# entry: ProjFp8e8m0Plane.kern
# blocked: w_kv=[1, 2, 2, 16, 32]
# strides: w_kv=[2048, 1024, 512, 32, 1]
# offsets: L24 w_kv=[0, 0, 0, 0, 0]
# sizes: L24 w_kv=[1, 2, 2, 16, 32]
# tile: L24 w_l1=[32, 64]
# note: plain NZ, not an MX scale layout
# row: A07
import pypto.language as pl


@pl.program
class ProjFp8e8m0Plane:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP32],
        w_kv: pl.Tensor[[32, 64], pl.FP8E8M0, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        w_l1 = pl.load(w_kv, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        t = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        out = pl.store(t, [0, 0], out)
        return out
