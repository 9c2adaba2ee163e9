# case: pro_cross_core_in_helper
# expect: ok
# arch: a5
# rule: a section may stand in a helper
import pypto_pro.language as pl


def vector_part():
    with pl.section_vector():
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE3, event_id=0)


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP32]):
    with pl.section_cube():
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    vector_part()
