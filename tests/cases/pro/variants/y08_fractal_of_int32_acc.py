# case: pro_y08_fractal_of_int32_acc
# expect: reject pro-fractal line=12
# arch: a5
# rule: INT32 in Acc has fractals of 1024 bytes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Acc, fractal=512)
