# case: access_refused
# expect: reject rank line=15
# at: [0]
# arch: any
# entry: access_refused
# mentions: one index an axis
# rule: a load, a store, a read and a write agree with the tensor in rank and dtype
import pypto.language as pl


@pl.jit.incore
def access_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    f = pl.write(f, [0], 1.0)
