# case: pro_y02_right_as_nz_by_a_helper
# expect: reject pro-tile-layout line=9
# arch: a5
# rule: a type that a helper makes
import pypto_pro.language as pl


def made(layout):
    return pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right, layout=layout)


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = made(pl.NZ)
