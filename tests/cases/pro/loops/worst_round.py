# case: pro_worst_round
# expect: reject pro-offset-range line=21
# arch: a5
# also: error pro-tile-offset-range line=22
# also: error pro-offset-negative line=23
# also: error pro-nz-offset line=25
# also: error pro-group-index line=26
# mentions: i = 8; 512
# rule: what a loop makes of an offset is judged in its worst round, which is named
import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[512, 128], pl.DT_FP32], z: pl.Tensor[[512, 256], pl.DT_FP16, pl.NZ]):
    t = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    n = pl.TileType(shape=[64, 16], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    g = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0, 1])
    h = pl.make_tile_group(type=n, addrs=0x20000, mutex_ids=[2])
    with pl.section_vector():
        for i in pl.range(9):
            pl.load(g.next(), x, [i * 64, 0])
            pl.load_tile(g.next(), x, [i, 0])
            pl.load(g.next(), x, [i * 64 - 64, 0])
        for k in pl.range(0, 16):
            pl.load(h.current(), z, [0, k * 12])
            a = g[k]
            pl.store(x, a, [0, 0])
