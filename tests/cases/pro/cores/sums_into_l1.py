# expect: ok
# arch: a5
# Each vector core puts its columns into L1, whose bytes the cube core reads under another name.
import pypto_pro.language as pl


@pl.jit
def kern(
    x: pl.Tensor[[32, 64], pl.DT_FP16],
    y: pl.Tensor[[32, 64], pl.DT_FP16],
    b: pl.Tensor[[64, 32], pl.DT_FP16],
    out: pl.Tensor[[32, 32], pl.DT_FP32],
):
    filled = pl.make_tile(
        pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.NZ), addr=0x10000
    )
    with pl.section_vector():
        flat = pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
        p = pl.make_tile_group(type=flat, addrs=0x0, mutex_ids=[0])
        q = pl.make_tile_group(type=flat, addrs=0x1000, mutex_ids=[1])
        boxed = pl.make_tile_group(
            type=pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ),
            addrs=0x2000,
            mutex_ids=[2],
        )
        at = pl.get_subblock_idx() * 32
        pl.load(p.current(), x, [0, at])
        pl.load(q.current(), y, [0, at])
        pl.add(p.current(), p.current(), q.current())
        pl.move(boxed.current(), p.current())
        pl.insert(filled, boxed.current(), [0, at])
        pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=2)
    with pl.section_cube():
        used = pl.make_tile(pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addr=0x10000)
        b_l1 = pl.make_tile_group(
            type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addrs=0x0, mutex_ids=[3]
        )
        left = pl.make_tile_group(
            type=pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addrs=0x0, mutex_ids=[4]
        )
        right = pl.make_tile_group(
            type=pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addrs=0x0, mutex_ids=[5]
        )
        acc = pl.make_tile_group(
            type=pl.TileType(shape=[32, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addrs=0x0, mutex_ids=[6]
        )
        pl.load(b_l1.current(), b, [0, 0])
        pl.move(right.current(), b_l1.current())
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=2)
        pl.move(left.current(), used)
        pl.matmul(acc.current(), left.current(), right.current())
        pl.store(out, acc.current(), [0, 0])
