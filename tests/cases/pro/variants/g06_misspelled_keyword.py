# case: pro_g06_misspelled_keyword
# expect: reject pro-unknown-keyword line=13
# arch: a5
# rule: an argument that no operation has
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0], ordr=[0, 1])
