# case: pro_y03_mat_nd_of_uint64
# expect: ok
# arch: a5
# rule: 64-bit integers may be ND in L1
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    t = pl.TileType(shape=[1, 64], dtype=pl.DT_UINT64, target_memory=pl.MemorySpace.Mat, layout=pl.ND)
