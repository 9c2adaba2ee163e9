# case: pro_branches_and_loops
# expect: reject pro-offset-range line=24
# arch: a5
# also: error pro-store-space line=34
# rule: a branch that is not taken is not judged, what changes in a loop is not known, a fault in a loop is told once
import pypto_pro.language as pl

CAUSAL = False


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP16], y: pl.Tensor[[64, 128], pl.DT_FP16], n: pl.DT_INT32):
    tt = pl.TileType(shape=[16, 128], dtype=pl.DT_FP16)
    mat = pl.TileType(shape=[16, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    ub = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0, 1])
    l1 = pl.make_tile_group(type=mat, addrs=0x0, mutex_ids=[2])
    with pl.section_vector():
        if pl.constexpr(CAUSAL):
            pl.load(ub.next(), x, [640, 0])
        row = 0
        for i in pl.range(4):
            tile = ub.next()
            if n > 3:
                pl.load(tile, x, [64, 0])
            else:
                pl.load(tile, x, [row, 0])
            pl.store(y, tile, [i * 16, 0])
            row = row + 64
        last = 32 if CAUSAL else 16
        while n > row:
            pl.load(ub.current(), x, [last, 0])
            pl.store(y, ub.current(), [row, 0])
            row += 16
        pl.store(y, l1.current(), [0, 0])
