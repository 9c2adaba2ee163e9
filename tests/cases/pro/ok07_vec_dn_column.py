# case: ok07_vec_dn_column
# expect: ok
# arch: a5
# A [rows, 1] column in UB is column-major (DN).
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def column_copy(
    src: pl.Tensor[[128, 1], pl.DT_FP32],
    dst: pl.Tensor[[128, 1], pl.DT_FP32],
):
    col = pl.TileType(shape=[64, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN)
    ub = pl.make_tile_group(type=col, addrs=0x400, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(2):
            cur = ub.next()
            pl.load_tile(cur, src, [i, 0])
            pl.store_tile(dst, cur, [i, 0])
