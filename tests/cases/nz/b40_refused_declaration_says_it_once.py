# case: b40_refused_declaration_says_it_once
# expect: reject rows-align line=16
# arch: any
# entry: Gate.kern
# mentions: 60
# rule: a tensor whose declaration is refused reports nothing about its uses
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        w: pl.Tensor[[60, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ):
        x_l1 = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
