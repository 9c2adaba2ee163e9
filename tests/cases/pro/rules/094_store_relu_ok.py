# case: pro_rule_094_ok
# expect: ok
# arch: a5
# rule: relu_pre_mode needs an Acc source
import pypto_pro.language as pl


@pl.jit
def kern(
    y: pl.Tensor[[64, 128], pl.DT_FP16],
):
    c = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[0]).current()
    pl.store(y, c, [0, 0], relu_pre_mode=pl.ReluPreMode.NormalRelu)
