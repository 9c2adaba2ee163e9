# case: helper_fault_names_its_call
# expect: reject bounds line=12
# arch: any
# entry: kern
# mentions: `fetch` is pasted in here
# rule: a fault inside a helper says where it was pasted in
import pypto.language as pl


@pl.jit.inline
def fetch(a: pl.Tensor):
    t = pl.load(a, [0, 0], [96, 64])
    return t


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = fetch(x)
        out[:] = x[0:64, :]
    return out
