# case: ok10_acc_nz_store_padded_m
# expect: ok
# arch: a5
# Direct L0C -> NZ store of several column blocks is fine when the tile spans align(M, 16) rows.
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def full_rows(
    a: pl.Tensor[[40, 32], pl.DT_FP16, pl.NZ],
    b: pl.Tensor[[32, 64], pl.DT_FP16],
    out: pl.Tensor[[40, 64], pl.DT_FP32, pl.NZ],
):
    a_t = pl.TileType(shape=[48, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    b_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    l_t = pl.TileType(shape=[48, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    r_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    c_t = pl.TileType(shape=[48, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    a_l1 = pl.make_tile_group(type=a_t, addrs=0x0, mutex_ids=[0])
    b_l1 = pl.make_tile_group(type=b_t, addrs=0x1000, mutex_ids=[1])
    left = pl.make_tile_group(type=l_t, addrs=0x0, mutex_ids=[2])
    right = pl.make_tile_group(type=r_t, addrs=0x0, mutex_ids=[3])
    acc = pl.make_tile_group(type=c_t, addrs=0x0, mutex_ids=[4])
    with pl.section_cube():
        am = a_l1.current()
        bm = b_l1.current()
        lt = left.current()
        rt = right.current()
        ct = acc.current()
        pl.load(am, a, [0, 0])
        pl.load(bm, b, [0, 0])
        pl.move(lt, am)
        pl.move(rt, bm)
        pl.matmul(ct, lt, rt)
        pl.store(out, ct, [0, 0])
