# case: gather_refused
# expect: reject operand-dtype line=16
# at: u
# arch: any
# entry: gather_refused
# mentions: INT32
# rule: an index selects along the last axis, a mask every second column
import pypto.language as pl


@pl.jit.incore
def gather_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    u: pl.Tensor[[64, 128], pl.UINT32],
):
    a = pl.gather(f, dim=-1, index=u)
