# case: pro_a08_slot_by_a_loop
# expect: reject pro-group-index line=15
# arch: a5
# rule: the last round asks for a slot that is not there
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    g = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(3):
            pl.load(g[i], x, [0, 0])
