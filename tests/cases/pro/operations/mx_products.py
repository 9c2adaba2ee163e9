# expect: ok
# arch: a5
import pypto_pro.language as pl

M, K, N = 32, 128, 64
G = K // 32


def group(shape, dtype, memory, at, mutex, layout=None):
    return pl.make_tile_group(type=pl.TileType(shape=shape, dtype=dtype, target_memory=memory, layout=layout), addrs=at, mutex_ids=[mutex])


@pl.jit
def product(
    a: pl.Tensor[[M, K], pl.DT_FP8E4M3FN],
    b: pl.Tensor[[N, K], pl.DT_FP8E5M2],
    scale_a: pl.Tensor[[M, G // 2, 2], pl.DT_FP8E8M0],
    scale_b: pl.Tensor[[N, G // 2, 2], pl.DT_FP8E8M0],
    c: pl.Tensor[[M, N], pl.DT_FP32],
):
    a_l1 = group([M, K], pl.DT_FP8E4M3FN, pl.MemorySpace.Mat, 0x0, 0)
    b_l1 = group([K, N], pl.DT_FP8E5M2, pl.MemorySpace.Mat, 0x8000, 1, layout=pl.ZN)
    sa_l1 = group([M, G], pl.DT_FP8E8M0, pl.MemorySpace.Mat, 0x10000, 2, layout=pl.ZZ)
    sb_l1 = group([G, N], pl.DT_FP8E8M0, pl.MemorySpace.Mat, 0x11000, 3, layout=pl.NN)
    left = group([M, K], pl.DT_FP8E4M3FN, pl.MemorySpace.Left, 0x0, 4)
    right = group([K, N], pl.DT_FP8E5M2, pl.MemorySpace.Right, 0x0, 5)
    sa_l0 = group([M, G], pl.DT_FP8E8M0, pl.MemorySpace.ScaleLeft, 0x0, 6)
    sb_l0 = group([G, N], pl.DT_FP8E8M0, pl.MemorySpace.ScaleRight, 0x0, 7)
    acc = group([M, N], pl.DT_FP32, pl.MemorySpace.Acc, 0x0, 8)
    with pl.section_cube():
        pl.load(a_l1.current(), a, [0, 0])
        pl.load(b_l1.current(), b, [0, 0], order=[1, 0])
        pl.load(sa_l1.current(), scale_a, [0, 0, 0])
        pl.load(sb_l1.current(), scale_b, [0, 0, 0], order=[1, 0])
        pl.move(left.current(), a_l1.current())
        pl.move(right.current(), b_l1.current())
        pl.move(sa_l0.current(), sa_l1.current())
        pl.move(sb_l0.current(), sb_l1.current())
        pl.matmul_mx(acc.current(), left.current(), right.current(), sa_l0.current(), sb_l0.current())
        pl.matmul_mx_acc(acc.current(), acc.current(), left.current(), right.current(), sa_l0.current(), sb_l0.current())
        pl.store(c, acc.current(), [0, 0])
