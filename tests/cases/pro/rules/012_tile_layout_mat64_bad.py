# case: pro_rule_012_bad
# expect: reject pro-tile-layout-mat64 line=12
# arch: a5
# rule: Mat ND only for INT64/UINT64
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[1, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Mat, layout=pl.ND)
