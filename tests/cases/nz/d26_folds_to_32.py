# case: d26_folds_to_32
# expect: ok
# arch: any
# entry: ExpertFoldsTo32.kern
# offsets: L21 w_o=[0, 0, 2, 0, 0]
# row: D26
import pypto.language as pl


@pl.program
class ExpertFoldsTo32:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_o: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        n0 = 64 - 32
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_o, [n0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
