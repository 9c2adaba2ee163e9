# case: pro_t05_layout_of_a_tuple
# expect: reject pro-tensor-layout-alias line=14
# arch: a5
# rule: a layout that a table of the module holds
import pypto_pro.language as pl


KINDS = {'a': pl.NZ, 'b': pl.NN}
KIND = KINDS['b']


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16, KIND],
):
    pass
