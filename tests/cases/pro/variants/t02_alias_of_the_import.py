# case: pro_t02_alias_of_the_import
# expect: reject pro-tensor-layout line=10
# arch: a5
# rule: the same under another name of the module
import pypto_pro.language as pp


@pp.jit()
def kern(
    x: pp.Tensor[[64, 64], pp.DT_INT8, pp.NN],
):
    pass
