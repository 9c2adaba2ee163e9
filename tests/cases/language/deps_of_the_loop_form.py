# case: deps_of_the_loop_form
# expect: reject wrong-arguments line=11
# arch: any
# entry: kern
# rule: the loop form of spmd has no dependencies
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    for i in pl.spmd(4, deps=[], name_hint="rows"):
        out[i * 16 : i * 16 + 16, :] = x[i * 16 : i * 16 + 16, :]
    return out
