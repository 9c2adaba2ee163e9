# case: c23_load_keywords
# expect: ok
# arch: any
# entry: GateLoadKeywords.kern
# offsets: L21 w_gate=[0, 0, 2, 0, 0]
# sizes: L21 w_gate=[1, 4, 2, 16, 16]
# row: C23
import pypto.language as pl


@pl.program
class GateLoadKeywords:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [32, 0], [32, 64], target_memory=pl.Mem.Mat, clamp=True)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
