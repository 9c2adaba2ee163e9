# case: pro_rule_123_bad
# expect: reject pro-event-range line=12
# arch: a5
# rule: event ids: sync 0..7, cross-core 0..15
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=16)
