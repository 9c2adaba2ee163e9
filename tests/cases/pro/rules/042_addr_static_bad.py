# case: pro_rule_042_bad
# expect: reject pro-addr-static line=14
# arch: a5
# rule: addr is compile-time
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    for i in pl.range(2):
        t = pl.make_tile(tt, addr=i*4096)
