# case: view_refused
# expect: reject bounds line=16
# at: [56, 0]
# arch: any
# entry: view_refused
# mentions: 72; axis 0
# rule: a view shows elements that are there
import pypto.language as pl


@pl.jit.incore
def view_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    tf = pl.load(f, [0, 0], [64, 128])
    a = pl.slice(tf, [16, 128], [56, 0])
