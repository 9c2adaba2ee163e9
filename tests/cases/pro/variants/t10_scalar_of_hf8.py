# case: pro_t10_scalar_of_hf8
# expect: reject pro-scalar-dtype line=11
# arch: a5
# rule: storage types are no scalars
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    s: pl.DT_HF8,
):
    pass
