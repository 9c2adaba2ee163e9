# case: write_lost_by_rebinding
# expect: reject lost-write line=14
# arch: any
# entry: kern
# mentions: is an output here
# help-mentions: pl.assemble; pl.store
# rule: an error, with the ways to write
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.create_tensor([64, 64], dtype=pl.FP16)
    return out
