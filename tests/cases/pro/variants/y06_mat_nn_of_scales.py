# case: pro_y06_mat_nn_of_scales
# expect: ok
# arch: a5
# rule: NN in L1 for scales of B
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[4, 64], dtype=pl.DT_FP8E8M0, target_memory=pl.MemorySpace.Mat, layout=pl.NN)
