# case: pro_t03_full_name_of_the_layout
# expect: ok
# arch: a5
# rule: TensorLayout.NZ is NZ
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.TensorLayout.NZ],
):
    pass
