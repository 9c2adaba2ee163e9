# case: pro_helpers_and_constants
# expect: reject pro-nz-offset line=34
# arch: a5
# also: error pro-tile-layout line=16
# also: error pro-capacity-group line=20
# rule: module constants, tile types held by the module, helpers and their arguments are followed
import pypto_pro.language as pl

ROWS = 16 * 4
COLUMNS = ROWS // 2
STEP = COLUMNS // 4
SHAPE = [ROWS, COLUMNS]
NZ_TILE = pl.TileType(shape=SHAPE, dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)


RIGHT = pl.TileType(shape=[COLUMNS, ROWS], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right, layout=pl.NZ)


def slots(kind, base, count):
    return pl.make_tile_group(type=kind, addrs=base, mutex_ids=[i for i in range(count)])


def window(tile, tensor, column):
    pl.load(tile, tensor, [0, column])


@pl.jit
def kern(w: pl.Tensor[[ROWS, 128], pl.DT_FP16, pl.NZ]):
    good = slots(NZ_TILE, 0x0, 2)
    far = slots(NZ_TILE, 0x3F000, 2)
    right = slots(RIGHT, 0x0, 1)
    with pl.section_vector():
        window(good.next(), w, STEP * 4)
        pl.load(good.next(), w, [0, STEP])
        window(good[0], w, 2 * COLUMNS)
