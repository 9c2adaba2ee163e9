# case: branches_agree
# expect: ok
# arch: any
# entry: BranchesAgree.kern
# kernels: 1
# rule: a name keeps the value on which both branches agree
import pypto.language as pl

if fast():
    ROWS = 32
else:
    ROWS = 32


@pl.program
class BranchesAgree:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[ROWS, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [ROWS, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
