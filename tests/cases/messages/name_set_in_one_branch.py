# case: name_set_in_one_branch
# expect: reject scope-only-name line=21
# arch: any
# entry: P.kern
# mentions: branch; set here only
# rule: the user's own name, at the use, and the branch that sets it
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        if n > 4:
            row = 16
        tile = pl.load(x, [row, 0], [16, 64])
        out = pl.store(tile, [0, 0], out)
        return out
