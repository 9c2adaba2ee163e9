# case: pro_g01_range_of_python_in_a_helper
# expect: reject pro-range-builtin line=9
# arch: a5
# rule: loops of helpers too
import pypto_pro.language as pl


def rounds(tensor):
    for i in range(4):
        pass


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    rounds(x)
