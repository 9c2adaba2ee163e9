# case: pro_rule_035_ok
# expect: ok
# arch: a5
# rule: compact 0..2 (3 tolerated)
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, compact=1)
