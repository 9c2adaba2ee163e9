# case: g43_never_written
# expect: ok
# arch: a2a3
# entry: NeverWritten.kern
# blocked: y_nz=[1, 4, 2, 16, 8]
# row: G43
import pypto.language as pl


@pl.program
class NeverWritten:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        y_nz: pl.Out[pl.Tensor[[32, 32], pl.FP32, pl.NZ]],
        z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        z = pl.store(t, [0, 0], z)
        return z
