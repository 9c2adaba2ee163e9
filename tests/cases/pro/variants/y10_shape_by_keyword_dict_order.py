# case: pro_y10_shape_by_keyword_dict_order
# expect: ok
# arch: a5
# rule: keywords in any order
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(layout=pl.NZ, dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, shape=[32, 64])
