# case: manual_in_manual
# expect: reject scope-rule line=12
# arch: any
# entry: kern
# rule: a manual scope does not nest
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.manual_scope():
        with pl.scope(mode=pl.ScopeMode.MANUAL):
            with pl.at(level=pl.Level.CORE_GROUP):
                out[:] = x[0:64, :]
    return out
