# case: constant_if_is_pruned
# expect: ok
# arch: any
# entry: P.kern
# rule: the branch that is not taken is read only
import pypto.language as pl


TAIL = 0


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.FP16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        if TAIL != 0:
            rest = pl.load(x, [64, 0], [TAIL, 64], target_memory=pl.Mem.Nowhere)
            return rest
        else:
            tile = pl.load(x, [0, 0], [16, 64])
            out = pl.store(tile, [0, 0], out)
            return out
