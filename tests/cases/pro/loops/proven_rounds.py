# case: pro_proven_rounds
# expect: ok
# arch: a5
# rule: what conditions and bounds keep inside is no fault, and what is not known is not judged
import pypto_pro.language as pl


def part(tile, tensor, row):
    pl.load(tile, tensor, [row * 64, 0])


@pl.jit
def kern(x: pl.Tensor[[512, 128], pl.DT_FP32], n: pl.DT_INT64):
    t = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    g = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(x.shape[0] // 64):
            part(g.next(), x, i)
        for i in pl.range(9):
            if i < 8:
                part(g.next(), x, i)
            if i > 7:
                part(g.next(), x, i - 1)
        for i in pl.range(n):
            part(g.next(), x, i)
        for i in pl.range(100):
            if i == n:
                break
            part(g.next(), x, i)
        for i in pl.range(0, 4):
            for j in pl.range(i, 8 - i):
                part(g.next(), x, i + j)
                part(g.next(), x, pl.min(i * 4, 7))
                part(g.next(), x, (i * 8 + j) % 8)
        for i in pl.range(20):
            row = i
            if row > 7:
                row = 0
            part(g.next(), x, row)
        for i in pl.range(8):
            at = [i * 64, 0]
            if n > 3:
                at = [i * 32, 0]
            pl.load(g.next(), x, at)
