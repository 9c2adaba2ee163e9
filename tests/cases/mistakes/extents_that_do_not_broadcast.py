# case: extents_that_do_not_broadcast
# expect: reject shape-mismatch line=19
# arch: any
# entry: extents_that_do_not_broadcast
# mentions: 64; 32
# rule: elementwise operands whose extents differ
import pypto.language as pl


@pl.jit
def extents_that_do_not_broadcast(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = f[:, 0:32]
        b = pl.add(f, a)
        out[:, :] = pl.add(f, f)
    return out
