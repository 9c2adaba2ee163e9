# case: pro_l11_load_into_bias
# expect: reject pro-load-space line=14
# arch: a5
# rule: a row of biases goes to L1 first; as it is declared, it would be no tile of L1
# absent: declare
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[1, 64], pl.DT_FP32],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[1, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Bias), addrs=0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])
