# case: parameters_without_types
# expect: reject pro-param-annotation line=12
# also: error pro-param-annotation line=20
# also: error pro-param-annotation line=29
# arch: a5
# rule: each parameter has its whole type
import pypto_pro.language as pl


@pl.jit
def kern0(
    y: pl.Tensor[[64, 64]],
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    pass


@pl.jit
def kern1(
    y: pl.Tensor,
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    pass


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    *rest
):
    pass


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    *,
    n: pl.DT_INT64,
):
    pass
