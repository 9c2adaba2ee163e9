# case: one_branch_only
# expect: reject scope-only-name line=23
# arch: any
# entry: OneBranchOnly.kern
# mentions: r
# rule: a name that only one branch sets
import pypto.language as pl


@pl.program
class OneBranchOnly:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[64, 64], pl.FP16],
        act_on: pl.Scalar[pl.BOOL],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        if act_on:
            r = 16
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [r, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
