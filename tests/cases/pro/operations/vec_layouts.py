# case: pro_vec_layouts
# expect: reject pro-tile-layout line=13
# arch: a5
# also: error pro-tile-layout line=14
# also: error pro-tile-layout line=15
# mentions: Vec takes ND, DN or NZ
# rule: UB holds ND, DN and NZ tiles, and no others
import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP32]):
    a = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.ZN)
    b = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.ZZ)
    c = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.NN)
    d = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    e = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN)
    f = pl.TileType(shape=[64, 16], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.ND)
