# case: pro_rule_032_bad
# expect: reject pro-tile-static line=12
# arch: a5
# rule: shape / valid_shape are compile-time
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[x.shape[0],64], dtype=pl.DT_FP16)
