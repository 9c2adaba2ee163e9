# case: prefetch
# expect: ok
# arch: any
# entry: prefetch
# rule: an event belongs to a context
import pypto.language as pl


@pl.jit.incore
def prefetch(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
):
    a = pl.prefetch.make_context()
    c = pl.prefetch.async_prefetch(f, a)
