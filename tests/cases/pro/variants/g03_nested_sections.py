# case: pro_g03_nested_sections
# expect: ok
# arch: a5
# rule: a section in a loop in a branch
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16], n: pl.DT_INT32,
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    if n > 3:
        for i in pl.range(n):
            with pl.section_vector():
                pl.load(t, x, [0, 0])
                pl.store(x, t, [0, 0])
