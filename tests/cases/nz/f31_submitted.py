# case: f31_submitted
# expect: ok
# arch: any
# entry: Submits.kern
# blocked: w=[1, 4, 3, 16, 16]
# offsets: L23 w=[0, 0, 0, 0, 0]
# sizes: L23 w=[1, 4, 3, 16, 16]
# may-warn: not-supported-yet
# row: F31
import pypto.language as pl


@pl.program
class Submits:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        return pl.store(pl.matmul(x_l1, pl.tile.transpose_view(w_l1)), [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        out, tid = pl.submit(self.kern, x, w, out)
        return out
