# case: output_passed_through
# expect: ok
# arch: any
# entry: kern
# rule: what a store, an assembly or a view of an output gives is still the output
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out = pl.assemble(out, x[0:32, :], [0, 0])
        out[32:64, :] = x[0:32, :]
    return out
