# case: heads
# expect: reject pro-tensor-dim line=11
# also: error pro-return-value line=26
# arch: a5
# rule: the extents and the result of a kernel
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[8, ..., 4], pl.DT_FP16],
):
    pass


@pl.jit
def kern1(
    x: pl.Tensor[[8, 4, ...], pl.DT_FP16],
):
    pass


@pl.jit
def kern2(
    x: pl.Tensor[[8, 4], pl.DT_FP16],
) -> pl.DT_INT64:
    pass


@pl.jit
def kern3(
    x: pl.Tensor[[8, 4], pl.DT_FP16],
) -> None:
    pass
