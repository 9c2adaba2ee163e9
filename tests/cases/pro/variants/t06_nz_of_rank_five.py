# case: pro_t06_nz_of_rank_five
# expect: ok
# arch: a5
# rule: all leading axes are batch axes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[2, 3, 4, 37, 90], pl.DT_BF16, pl.NZ],
):
    pass
