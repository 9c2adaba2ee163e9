# case: pro_rule_076_bad
# expect: reject pro-load-b64-nz line=13
# arch: a5
# rule: 64-bit data cannot go to a Mat NZ tile
import pypto_pro.language as pl


@pl.jit
def kern(
    x64: pl.Tensor[[64, 128], pl.DT_INT64],
):
    q = pl.make_tile(pl.TileType(shape=[16, 16], dtype=pl.DT_INT64, target_memory=pl.MemorySpace.Mat), addr=0)
    pl.load(q, x64, [0, 0])
