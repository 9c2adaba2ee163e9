# case: input_written_in_jit
# expect: ok
# arch: any
# entry: kern
# warns: input-written line=13
# rule: a @pl.jit kernel has its directions inferred; placid warns
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        x[0:16, :] = x[16:32, :]
        out[:] = x[0:64, :]
    return out
