# case: lost_write
# expect: reject lost-write line=12
# arch: any
# entry: kern
# rule: an output that is bound anew is not written
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.create_tensor([64, 64], dtype=pl.FP16)
    return out
