# case: pro_rule_022_ok
# expect: ok
# arch: a5
# rule: FP32/INT32 Acc uses fractal 1024
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc, fractal=1024)
