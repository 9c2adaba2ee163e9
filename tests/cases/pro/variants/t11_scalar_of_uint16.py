# case: pro_t11_scalar_of_uint16
# expect: ok
# arch: a5
# rule: UINT16 is a scalar
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    s: pl.DT_UINT16,
):
    pass
