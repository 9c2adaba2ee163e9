# case: g27_pre_relu
# expect: reject atomic line=23
# related-line=18
# arch: a2a3
# entry: StorePreRelu.kern
# mentions: pre_relu
# row: G27
import pypto.language as pl


@pl.program
class StorePreRelu:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        y_nz: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 32], pl.FP32, pl.NZ]:
        x_l1 = pl.load(x, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz, pre_relu=True)
        return y_nz
