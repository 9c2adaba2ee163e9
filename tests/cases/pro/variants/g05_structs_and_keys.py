# case: pro_g05_structs_and_keys
# expect: ok
# arch: a5
# rule: arrays of structs, arrays in structs, tiling classes and keys are numbers of run time
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class Tiling:
    first: int
    half: float
    counts: int[4]


class Keys:
    Mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=Keys)
def kern(
    x: pl.Tensor[[64, 64], pl.DT_FP16], tiling: Tiling,
):
    t = pl.make_tile_group(type=pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec), addrs=0, mutex_ids=[0]).current()
    ring = pl.struct_array(2, 'Ring', at=[0, 0], n=1)
    ring[0].at[1] = tiling.first
    with pl.section_vector():
        for i in pl.range(tiling.counts[1]):
            slot = ring[i % 2]
            slot.n += i
            if Mode == 1:
                pl.load(t, x, [slot.at[0], 0])
            pl.store(x, t, [0, 0])
