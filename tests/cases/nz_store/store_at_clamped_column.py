# expect: ok
# arch: a3
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[64, 16], pl.FP16],
        p: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[32, 64], pl.FP32, pl.NZ]],
    ):
        x_l1 = pl.load(x, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [64, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, w_l1)
        c = pl.min(pl.max(p, 0), 3) * 16
        out = pl.store(acc, [0, c], out)
        return out
