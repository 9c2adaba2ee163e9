# case: pro_rule_125_bad
# expect: ok
# arch: a5
# rule: auto_mutex does not protect make_tile tiles
# warns: pro-mutex-make-tile line=17
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
    y: pl.Tensor[[64, 128], pl.DT_FP16],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP16)
    t = pl.make_tile(tt, addr=0)
    pl.load(t, x, [0, 0])
    pl.store(y, t, [0, 0])
