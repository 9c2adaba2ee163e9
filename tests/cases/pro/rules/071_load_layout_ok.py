# case: pro_rule_071_ok
# expect: ok
# arch: a5
# rule: ZN L1 tile needs a transposing load
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    mt = pl.make_tile_group(type=pl.TileType(shape=[128, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN), addrs=0x10000, mutex_ids=[0]).current()
    pl.load(mt, x, [0, 0], order=[1, 0])
