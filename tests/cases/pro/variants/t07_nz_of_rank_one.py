# case: pro_t07_nz_of_rank_one
# expect: reject pro-nz-rank line=10
# arch: a5
# rule: NZ has two axes at least
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[4096], pl.DT_INT8, pl.NZ],
):
    pass
