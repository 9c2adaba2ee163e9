# case: d63_bound_outside_the_scope
# expect: reject nz-offset-align line=20
# arch: any
# entry: kern
# mentions: outside this core scope
# help-mentions: inside the core scope; pl.max(n0, 0) // 16 * 16
# absent: start and step that are
# rule: a loop around the scope already steps by a multiple: the way out is another
import pypto.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[64, 256], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
):
    for n0 in pl.parallel(0, 256, 64):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:, n0 : n0 + 64] = pl.matmul(x, w[:, n0 : n0 + 64], out_dtype=pl.FP32)
    return out
