# case: pro_t04_full_name_refused
# expect: reject pro-tensor-layout line=10
# arch: a5
# rule: TensorLayout.ZN is ZN
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, pl.TensorLayout.ZN],
):
    pass
