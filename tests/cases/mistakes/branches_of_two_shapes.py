# case: branches_of_two_shapes
# expect: reject reassignment line=24
# alt-kind: shape-mismatch, type-mismatch
# arch: any
# entry: BranchesOfTwoShapes.kern
# rule: a name with another shape in each branch
import pypto.language as pl


@pl.program
class BranchesOfTwoShapes:
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
            a = pl.load(f, [0, 0], [32, 64])
        else:
            a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
