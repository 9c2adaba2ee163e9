# case: pro_rule_116_ok
# expect: ok
# arch: a5
# rule: Mat scale tile without layout defaults to NZ
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    sl = pl.make_tile_group(type=pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.ScaleLeft), addrs=0x0, mutex_ids=[0]).current()
    t = pl.TileType(shape=[64, 4], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.ZZ)
    pl.move(sl, pl.make_tile(t, addr=0))
