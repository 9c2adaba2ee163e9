# case: pro_rule_029_bad
# expect: reject pro-tile-align line=12
# arch: a5
# rule: ZN box is (32/size) x 16: K of an FP8 transposed tile in 32s
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 128], pl.DT_FP16],
):
    t = pl.TileType(shape=[48, 64], dtype=pl.DT_FP8E4M3FN, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
