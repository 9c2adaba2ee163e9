# case: ok13_acc_via_vec_to_nz
# expect: ok
# arch: a5
# The way around the partial-M limit: drain L0C into an NZ UB tile and let the vector core store it.
import pypto_pro.language as pl


@pl.jit(arch="a5", auto_mutex=True)
def drain(
    a: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ],
    b: pl.Tensor[[64, 64], pl.DT_FP16, pl.NZ],
    out: pl.Tensor[[64, 64], pl.DT_FP32, pl.NZ],
):
    a_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    b_t = pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    l_t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    r_t = pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    c_t = pl.TileType(shape=[32, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    v_t = pl.TileType(shape=[32, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    a_l1 = pl.make_tile_group(type=a_t, addrs=0x0, mutex_ids=[0])
    b_l1 = pl.make_tile_group(type=b_t, addrs=0x1000, mutex_ids=[1])
    left = pl.make_tile_group(type=l_t, addrs=0x0, mutex_ids=[2])
    right = pl.make_tile_group(type=r_t, addrs=0x0, mutex_ids=[3])
    acc = pl.make_tile_group(type=c_t, addrs=0x0, mutex_ids=[4])
    ub = pl.make_tile_group(type=v_t, addrs=0x0, mutex_ids=[5])
    with pl.section_cube():
        am = a_l1.current()
        bm = b_l1.current()
        lt = left.current()
        rt = right.current()
        ct = acc.current()
        pl.load(am, a, [32, 0])
        pl.load(bm, b, [0, 32])
        pl.move(lt, am)
        pl.move(rt, bm)
        pl.matmul(ct, lt, rt)
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=1)
        pl.move(ub[0], ct, acc_to_vec_mode=pl.AccToVecMode.SingleModeVec0)
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=1)
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE3, event_id=0)
        if pl.get_subblock_idx() == 0:
            pl.store(out, ub[0], [32, 32])
