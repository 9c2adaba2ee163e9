# case: closure_of_a_factory
# expect: ok
# arch: any
# entry: kern
# rule: what a builder around a kernel knows, the kernel knows
import pypto.language as pl


def build(rows=16):
    half = rows // 2

    @pl.jit
    def kern(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[0:half, :] = x[half : half + 8, :]
        return out

    return kern
