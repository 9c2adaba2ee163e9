# case: pro_rule_076_ok
# expect: ok
# arch: a5
# rule: 64-bit data cannot go to a Mat NZ tile
import pypto_pro.language as pl


@pl.jit
def kern(
    x64: pl.Tensor[[64, 128], pl.DT_INT64],
):
    q = pl.make_tile(pl.TileType(shape=[1, 16], dtype=pl.DT_INT64, target_memory=pl.MemorySpace.Mat, layout=pl.ND), addr=0)
    pl.load(q, x64, [0, 0])
