# case: index_from_the_end
# expect: reject not-allowed-in-kernel line=19
# alt-kind: negative-offset
# arch: any
# entry: index_from_the_end
# mentions: -1
# rule: Python's negative index
import pypto.language as pl


@pl.jit
def index_from_the_end(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        s = f[-1, 0]
        out[:, :] = pl.add(f, f)
    return out
