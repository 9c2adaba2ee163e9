# case: b22_explicit_stride
# expect: reject stride line=18
# arch: any
# entry: RouterExplicitStride.kern
# mentions: stride
# at: pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.NZ)
# note: refused although the stride is the packed row-major one
# row: B22
import pypto.language as pl


@pl.program
class RouterExplicitStride:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[32, 64], pl.FP16, pl.TensorView(stride=[64, 1], layout=pl.TensorLayout.NZ)],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
