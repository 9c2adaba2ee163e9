# case: prefetch_refused
# expect: reject wrong-arguments line=15
# at: pl.prefetch.async_prefetch(f)
# arch: any
# entry: prefetch_refused
# mentions: ctx
# rule: an event belongs to a context
import pypto.language as pl


@pl.jit.incore
def prefetch_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    c = pl.prefetch.async_prefetch(f)
