# case: c05_k_major
# expect: ok
# arch: any
# entry: GateKMajor.kern
# blocked: wt=[1, 7, 4, 16, 16]
# offsets: L23 wt=[0, 0, 0, 0, 0]
# sizes: L23 wt=[1, 7, 4, 16, 16]
# tile: L23 w_l1=[64, 112]
# row: C05
import pypto.language as pl


@pl.program
class GateKMajor:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.BF16],
        wt: pl.Tensor[[64, 112], pl.BF16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 112], pl.FP32]],
    ) -> pl.Tensor[[16, 112], pl.FP32]:
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [64, 112], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, w_l1)
        out = pl.store(acc, [0, 0], out)
        return out
