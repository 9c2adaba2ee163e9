# case: pro_a03_acc_at_64
# expect: ok
# arch: a5
# rule: L0C counts in 64 bytes
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addr=64)
