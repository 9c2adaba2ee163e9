# case: f31_forwarded
# expect: ok
# arch: any
# entry: Forwards.kern
# blocked: w=[1, 4, 3, 16, 16]
# offsets: L22 w=[0, 0, 0, 0, 0]
# sizes: L22 w=[1, 4, 3, 16, 16]
# row: F31
import pypto.language as pl


@pl.program
class Forwards:
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
        out = self.kern(x, w, out)
        return out
