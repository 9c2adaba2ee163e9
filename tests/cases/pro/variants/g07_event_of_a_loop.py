# case: pro_g07_event_of_a_loop
# expect: reject pro-event-range line=14
# arch: a5
# rule: the last round's event is not there
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    with pl.section_vector():
        for i in pl.range(9):
            pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=i)
