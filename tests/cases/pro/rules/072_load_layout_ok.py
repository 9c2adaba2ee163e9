# case: pro_rule_072_ok
# expect: ok
# arch: a5
# rule: Transposing load into an NZ L1 tile is legal but is not the documented transpose
import pypto_pro.language as pl


@pl.jit
def kern(
    x_km: pl.Tensor[[128, 64], pl.DT_FP16],
):
    mt_mk = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0x0, mutex_ids=[0]).current()
    pl.load(mt_mk, x_km, [0, 0], order=[1, 0])
