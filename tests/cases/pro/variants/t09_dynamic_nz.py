# case: pro_t09_dynamic_nz
# expect: ok
# arch: a5
# rule: extents of run time are not judged
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16, pl.NZ],
):
    pass
