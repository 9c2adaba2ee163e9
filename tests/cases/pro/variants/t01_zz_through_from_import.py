# case: pro_t01_zz_through_from_import
# expect: reject pro-tensor-layout line=10
# arch: a5
# rule: a tile layout on a tensor, names imported one by one
from pypto_pro.language import DT_FP16, Tensor, ZZ, jit


@jit
def kern(
    x: Tensor[[64, 64], DT_FP16, ZZ],
):
    pass
