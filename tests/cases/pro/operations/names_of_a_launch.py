# case: names_of_a_launch
# expect: ok
# arch: a5
# rule: names that `datatype=` binds to the dtypes of a launch
import pypto_pro.language as pl


@pl.jit(datatype={"x": "io_dtype"})
def kern(
    x: pl.Ptr[pl.DT_UINT8],
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=io_dtype), addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, pl.make_tensor(x, [64, 64], dtype=io_dtype), [0, 0])
