# case: rebinding_in_jit
# expect: ok
# arch: any
# entry: kern
# rule: a @pl.jit kernel may bind a name to another shape at the same depth
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = x[0:32, :]
        t = x[0:16, 0:16]
        out[0:16, 0:16] = t
    return out
