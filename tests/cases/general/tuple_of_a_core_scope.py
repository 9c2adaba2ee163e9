# case: tuple_of_a_core_scope
# expect: reject nz-window line=15
# arch: any
# entry: escape
# rule: a tuple leaves a core scope like the values in it
import pypto.language as pl


@pl.jit
def escape(w: pl.Tensor[[192, 64], pl.FP16, pl.NZ], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.tile.get_block_idx()
        p = (a, a)
    q = p[0]
    x = w[q : q + 16, :]
    return out
