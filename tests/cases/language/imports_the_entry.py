# expect: ok
# arch: a3
# rule: a module that imports the entry gets a second copy of it, which runs by itself
import pypto.language as pl
import helper_of_the_entry

T = 64


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [helper_of_the_entry.U, T])
        out = pl.store(t, [0, 0], out)
    return out


# --- file: helper_of_the_entry.py
import imports_the_entry

U = imports_the_entry.T
