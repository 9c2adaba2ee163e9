# case: pro_rule_014_bad
# expect: reject pro-tile-layout line=12
# arch: a5
# rule: Right: ZN only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right, layout=pl.NZ)
