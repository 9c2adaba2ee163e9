# case: pro_rule_017_ok
# expect: ok
# arch: a5
# rule: Left ZZ on a5: listed as allowed in the seed table, refused by the front end since 2026-08-21
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, layout=pl.NZ)
