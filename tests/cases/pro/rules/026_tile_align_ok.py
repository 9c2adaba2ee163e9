# case: pro_rule_026_ok
# expect: ok
# arch: a5
# rule: DN / one-column tile: rows x size multiple of 32
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[16, 1], dtype=pl.DT_FP16, layout=pl.DN)
