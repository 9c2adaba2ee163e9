# case: f32_three_annotations
# expect: ok
# arch: any
# entry: Shares.kern
# blocked: w=[1, 4, 3, 16, 16]
# offsets: L25 w=[0, 0, 0, 0, 0]
# sizes: L25 w=[1, 4, 3, 16, 16]
# offsets: L36 w=[0, 0, 1, 0, 0]
# sizes: L36 w=[1, 4, 2, 16, 16]
# note: each function is blocked exactly once
# row: F32
import pypto.language as pl


@pl.program
class Shares:
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

    @pl.function(type=pl.FunctionType.InCore)
    def kern_two(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [16, 0], [32, 64], target_memory=pl.Mem.Mat)
        return pl.store(pl.matmul(x_l1, pl.tile.transpose_view(w_l1)), [0, 16], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        out = self.kern(x, w, out)
        out = self.kern_two(x, w, out)
        return out
