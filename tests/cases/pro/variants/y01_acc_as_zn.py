# case: pro_y01_acc_as_zn
# expect: reject pro-tile-layout line=12
# arch: a5
# rule: Acc is NZ only
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc, layout=pl.ZN)
