# case: pro_l03_by_keywords
# expect: ok
# arch: a5
# rule: all arguments by keyword
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    with pl.section_vector():
        pl.load(offsets=[0, 0], src_tensor=x, dst_tile=t)
