# case: set_in_one_branch_only
# expect: reject scope-only-name line=23
# at: a
# arch: any
# entry: SetInOneBranchOnly.kern
# rule: a name that only one branch sets
import pypto.language as pl


@pl.program
class SetInOneBranchOnly:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        n = pl.tile.get_block_idx()
        if n > 0:
            a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
