# case: dtypes_of_memories
# expect: reject pro-dtype-name line=13
# also: error pro-arguments line=27
# arch: a5
# rule: memories that take few dtypes, and strides of a view
import pypto_pro.language as pl


@pl.jit
def kern0(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Acc)


@pl.jit
def kern1(
    x: pl.Tensor[[64, 64], pl.DT_FP16],
):
    a = pl.TileType(shape=[64, 64], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Acc)


@pl.jit
def kern2(
    p: pl.Ptr[pl.DT_FP16],
):
    t = pl.make_tensor(p, [64, 64], stride=[64])


@pl.jit
def kern3(
    p: pl.Ptr[pl.DT_FP16],
):
    t = pl.make_tensor(p, [64, 64], [64, 1])
