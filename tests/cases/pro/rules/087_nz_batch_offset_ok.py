# case: pro_rule_087_ok
# expect: ok
# arch: a5
# rule: Batch index below its dim
import pypto_pro.language as pl


@pl.jit
def kern(
    w3: pl.Tensor[[4, 64, 128], pl.DT_FP16, pl.NZ],
):
    m = pl.make_tile_group(type=pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[0]).current()
    pl.load(m, w3, [3, 0, 0])
