# case: product_reshaped_in_acc
# expect: reject shape-mismatch line=25
# arch: any
# entry: Gate.kern
# at: pl.reshape(acc, [32, 64])
# annotation: none
# mentions: `acc`; Acc; [64, 32]; [32, 64]
# help-mentions: target_memory=pl.Mem.Vec
# rule: an accumulator keeps its rows and columns
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        out: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    ):
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        turned = pl.reshape(acc, [32, 64])
        out = pl.store(turned, [0, 0], out)
        return out
