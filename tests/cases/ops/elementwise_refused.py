# case: elementwise_refused
# expect: reject shape-mismatch line=16
# at: w
# arch: any
# entry: elementwise_refused
# mentions: do not broadcast; [64]; [128]
# rule: shapes broadcast, dtypes promote
import pypto.language as pl


@pl.jit.incore
def elementwise_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    w: pl.Tensor[[128, 64], pl.FP16],
):
    a = pl.add(f, w)
