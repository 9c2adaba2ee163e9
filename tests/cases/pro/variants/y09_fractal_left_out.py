# case: pro_y09_fractal_left_out
# expect: ok
# arch: a5
# rule: which are filled in where they are left out
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Acc)
