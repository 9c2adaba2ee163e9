# case: pro_t08_extent_zero_by_arithmetic
# expect: reject pro-tensor-dim line=13
# arch: a5
# rule: an extent that arithmetic makes zero
import pypto_pro.language as pl


N = 64


@pl.jit
def kern(
    x: pl.Tensor[[N - 64, 128], pl.DT_FP16],
):
    pass
