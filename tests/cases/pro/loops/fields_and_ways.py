# case: fields_and_ways
# expect: ok
# arch: a5
# A field of a struct is a number of run time once it is assigned; what never runs is not judged.
import pypto_pro.language as pl

T = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)


def rows(x, z, t):
    if x.shape[0] > 256:
        for i in pl.range(8):
            pl.load(t, x, [i * 64, 0])
            pl.system.bar_all()
            pl.store(z, t, [i * 64, 0])
            pl.system.bar_all()


@pl.jit
def kern(x: pl.Tensor[[256, 64], pl.DT_FP32], z: pl.Tensor[[256, 64], pl.DT_FP32]):
    t = pl.make_tile(T, addr=0x0)
    with pl.section_vector():
        rows(x, z, t)
        for i in pl.range(8):
            s = pl.struct("S", i=i)
            s.i = s.i // 2
            pl.load(t, x, [s.i * 64, 0])
            pl.system.bar_all()
            pl.store(z, t, [s.i * 64, 0])
            pl.system.bar_all()
