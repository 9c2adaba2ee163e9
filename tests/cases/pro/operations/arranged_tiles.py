# expect: ok
# arch: a5
import pypto_pro.language as pl


def tile(shape, dtype, at, layout=None):
    return pl.make_tile_group(type=pl.TileType(shape=shape, dtype=dtype, target_memory=pl.MemorySpace.Vec, layout=layout), addrs=at, mutex_ids=[at // 0x2000])


@pl.jit
def sorted_rows(x: pl.Tensor[[2, 64], pl.DT_FP32], indices: pl.Tensor[[1, 64], pl.DT_UINT32], out: pl.Tensor[[2, 128], pl.DT_FP32]):
    values = tile([2, 64], pl.DT_FP32, 0x0)
    places = tile([1, 64], pl.DT_UINT32, 0x2000)
    made = tile([2, 128], pl.DT_FP32, 0x4000)
    with pl.section_vector():
        a, i, d = values.current(), places.current(), made.current()
        pl.load(a, x, [0, 0])
        pl.load(i, indices, [0, 0])
        pl.sort32(d, a, i)
        pl.store(out, d, [0, 0])


@pl.jit
def merged(x: pl.Tensor[[1, 256], pl.DT_FP32], y: pl.Tensor[[1, 256], pl.DT_FP32], out: pl.Tensor[[1, 768], pl.DT_FP32]):
    first = tile([1, 256], pl.DT_FP32, 0x0)
    second = tile([1, 256], pl.DT_FP32, 0x2000)
    third = tile([1, 256], pl.DT_FP32, 0x4000)
    made = tile([1, 768], pl.DT_FP32, 0x6000)
    scratch = tile([1, 768], pl.DT_FP32, 0x8000)
    with pl.section_vector():
        a, b, c, d, t = first.current(), second.current(), third.current(), made.current(), scratch.current()
        pl.load(a, x, [0, 0])
        pl.load(b, y, [0, 0])
        pl.mrgsort(c, a, block_len=64)
        pl.mrgsort2(a, b, d, t, c, exhausted=False)
        pl.store(out, d, [0, 0])


@pl.jit
def counted(x: pl.Tensor[[32, 64], pl.DT_UINT16], filters: pl.Tensor[[32, 1], pl.DT_UINT8], out: pl.Tensor[[32, 256], pl.DT_UINT32]):
    values = tile([32, 64], pl.DT_UINT16, 0x0)
    wanted = tile([32, 1], pl.DT_UINT8, 0x2000, pl.DN)
    made = tile([32, 256], pl.DT_UINT32, 0x4000)
    with pl.section_vector():
        a, i, d = values.current(), wanted.current(), made.current()
        pl.load(a, x, [0, 0])
        pl.load(i, filters, [0, 0])
        pl.histogram(d, a, i, is_msb=False)
        pl.store(out, d, [0, 0])


@pl.jit
def placed_and_scaled(x: pl.Tensor[[8, 64], pl.DT_FP32], places: pl.Tensor[[8, 64], pl.DT_INT32], factors: pl.Tensor[[8, 1], pl.DT_FP32], out: pl.Tensor[[8, 64], pl.DT_FP32]):
    values = tile([8, 64], pl.DT_FP32, 0x0)
    index = tile([8, 64], pl.DT_INT32, 0x2000)
    column = tile([8, 1], pl.DT_FP32, 0x4000)
    narrow = tile([8, 64], pl.DT_INT8, 0x6000)
    made = tile([8, 64], pl.DT_FP32, 0x8000)
    with pl.section_vector():
        a, i, f, q, d = values.current(), index.current(), column.current(), narrow.current(), made.current()
        pl.load(a, x, [0, 0])
        pl.load(i, places, [0, 0])
        pl.load(f, factors, [0, 0])
        pl.scatter(d, a, i)
        pl.quant(q, d, f, mode=pl.QuantMode.SYM)
        pl.dequant(d, q, f, f)
        pl.axpy(d, a, 2.0)
        pl.partmax(d, d, a)
        pl.store(out, d, [0, 0])
