# case: rej13_vec_capacity
# expect: reject capacity line=14
# arch: a5
# 0x3C000 + 64*128*4 = 278528 bytes: past the end of the A5 unified buffer.
import pypto_pro.language as pl


@pl.jit(arch="a5")
def bad(
    x: pl.Tensor[[64, 128], pl.DT_FP32],
    y: pl.Tensor[[64, 128], pl.DT_FP32],
):
    tt = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    cur = pl.make_tile(tt, addr=0x3C000)
    with pl.section_vector():
        pl.load(cur, x, [0, 0])
        pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
        pl.store(y, cur, [0, 0])
