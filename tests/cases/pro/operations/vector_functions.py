# case: pro_vector_functions
# expect: reject pro-vf-statement line=19
# arch: a5
# also: error pro-vf-dtype line=20
# also: error pro-vf-body line=22
# also: error pro-vf-body line=23
# also: error pro-unknown-operation line=24
# also: error pro-unknown-keyword line=25
# rule: bodies of vector functions hold operations of registers
import pypto_pro.language as pl


def helper(t):
    pl.exp(t, t)


@pl.vector_function
def body(src, dst):
    m = vf.create_mask(pattern=pl.MaskPattern.ALL, dtype=pl.DT_FP32); r = vf.load_align(src, 0); vf.add(r, r, m)
    q = vf.astype(r, m)
    vf.store_align(dst, r, m)
    pl.add(dst, src, src)
    helper(src)
    r = vf.reduce_summ(r, m)
    r = vf.reduce_sum(r, m, datablok=True)
    for i in pl.range(4):
        r = vf.load_align(src, i * 64)
        vf.store_align(dst, r, m, i * 64)


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP32]):
    t = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0]).current()
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        body(a, a)
        pl.store(x, a, [0, 0])
