# expect: ok
# arch: a5
# Products go to both vector cores in halves, through two buffers that they give back; the sums leave from there.
import pypto_pro.language as pl

ROUNDS = 4
READY = (3, 4)
FREE = (5, 6)

left_type = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
half_type = pl.TileType(shape=[16, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)


@pl.jit
def kern(
    a: pl.Tensor[[128, 64], pl.DT_FP16],
    b: pl.Tensor[[64, 32], pl.DT_FP16],
    x: pl.Tensor[[128, 32], pl.DT_FP32],
    out: pl.Tensor[[128, 32], pl.DT_FP32],
):
    given = pl.make_tile_group(type=half_type, addrs=[0x0, 0x1000], mutex_ids=[0, 1])
    own = pl.make_tile_group(type=half_type, addrs=0x4000, mutex_ids=[2])
    with pl.section_cube():
        a_l1 = pl.make_tile_group(type=left_type, addrs=0x0, mutex_ids=[3])
        b_l1 = pl.make_tile_group(
            type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x8000, mutex_ids=[4]
        )
        a_l0 = pl.make_tile_group(
            type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[5]
        )
        b_l0 = pl.make_tile_group(
            type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0x0, mutex_ids=[6]
        )
        acc = pl.make_tile_group(
            type=pl.TileType(shape=[32, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[7]
        )
        pl.load(b_l1.current(), b, [0, 0])
        pl.move(b_l0.current(), b_l1.current())
        for i in pl.range(ROUNDS):
            pl.load(a_l1.current(), a, [i * 32, 0])
            pl.move(a_l0.current(), a_l1.current())
            pl.matmul(acc.current(), a_l0.current(), b_l0.current())
            pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[i % 2])
            pl.move(given[i % 2], acc.current(), acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
            pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=READY[i % 2])
    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[0])
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[1])
        for i in pl.range(ROUNDS):
            at = i * 32 + pl.get_subblock_idx() * 16
            pl.load(own.current(), x, [at, 0])
            pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=READY[i % 2])
            pl.add(own.current(), own.current(), given[i % 2])
            pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[i % 2])
            pl.store(out, own.current(), [at, 0])
