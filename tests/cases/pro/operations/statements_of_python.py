# case: statements_of_python
# expect: reject pro-statement line=25
# also: error pro-statement line=33
# also: error pro-statement line=44
# also: error pro-statement line=52
# also: error pro-statement line=60
# also: error pro-statement line=69
# also: error pro-with-form line=89
# also: error pro-with-form line=98
# also: error pro-range-builtin line=107
# also: error pro-range-builtin line=116
# also: error pro-range-builtin line=125
# also: error pro-range-kwargs line=134
# also: error pro-range-kwargs line=143
# arch: a5
# rule: statements that no kernel has
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    assert n > 0


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    try:
        pass
    finally:
        pass


@pl.jit
def kern2(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    import math


@pl.jit
def kern3(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    del n


@pl.jit
def kern4(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    class C:
        pass


@pl.jit
def kern5(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    m = min(n, 3)
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [m, 0])


@pl.jit
def kern6(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    m = min(4, 3)
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 0])


@pl.jit
def kern7(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    with open('f'):
        pass


@pl.jit
def kern8(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    with pl.section_vector() as s:
        pass


@pl.jit
def kern9(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    for i in [0, 1, 2]:
        pass


@pl.jit
def kern10(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    for i in n:
        pass


@pl.jit
def kern11(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    for i, j in pl.range(4):
        pass


@pl.jit
def kern12(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    for i in pl.range(0, 4, 0):
        pass


@pl.jit
def kern13(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
    n: pl.DT_INT64,
):
    for i in pl.range(1.5):
        pass
