# case: manual_scope_in_a_manual_scope
# expect: reject scope-rule line=18
# alt-kind: wrong-arguments, scope-nesting
# arch: any
# entry: manual_scope_in_a_manual_scope
# rule: manual scopes do not nest
import pypto.language as pl


@pl.jit
def manual_scope_in_a_manual_scope(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.manual_scope():
        with pl.manual_scope():
            with pl.at(level=pl.Level.CORE_GROUP):
                out[:, :] = pl.add(f, f)
    return out
