# case: pro_rule_023_bad
# expect: reject pro-fractal line=12
# arch: a5
# rule: MX scale tiles use fractal 32
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft, fractal=512)
