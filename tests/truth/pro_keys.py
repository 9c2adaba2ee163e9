# SPDX-License-Identifier: Apache-2.0
"""Kernels of pypto_pro with tiling keys: what the launch chooses counts in conditions and as a number."""
import struct

# A kernel whose tiling keys are numbers as well, and what it writes for a mode and a kind.
KEYED = """import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


class Keys:
    Mode = TilingKeyField(bits=1, values=[0, 1])
    Kind = TilingKeyField(bits=2, values=[0, 1, 2])


@pl.jit(tiling_key=Keys)
def kern(out: pl.Tensor[[8], pl.DT_INT32], n: pl.DT_INT32):
    with pl.section_vector():
        k = n
        if Mode == 1:
            k = 12
        out[0] = Mode * 10 + Kind
        out[1] = 12 if Mode == 1 else 3
        out[2] = k + Kind
        out[3] = Mode
        for i in pl.range(Kind):
            out[4 + i] = i + Mode
"""


def keyed(mode, kind, n):
    behind = [i + mode if i < kind else 0 for i in range(4)]
    return [mode * 10 + kind, 12 if mode == 1 else 3, (12 if mode == 1 else n) + kind, mode, *behind]


# A scale of a key is a constant of its kernel, no word with the bits of a number.
KEYED_SCALE = """import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


class Keys:
    Mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(tiling_key=Keys)
def kern(a: pl.Tensor[[16, 32], pl.DT_FP16], b: pl.Tensor[[32, 32], pl.DT_FP16], c: pl.Tensor[[16, 32], pl.DT_FP16]):
    al = pl.make_tile(pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addr=0)
    bl = pl.make_tile(pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat), addr=0x10000)
    l = pl.make_tile(pl.TileType(shape=[16, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left), addr=0)
    r = pl.make_tile(pl.TileType(shape=[32, 32], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right), addr=0)
    c0 = pl.make_tile(pl.TileType(shape=[16, 32], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc), addr=0)
    with pl.section_cube():
        pl.load(al, a, [0, 0])
        pl.load(bl, b, [0, 0])
        pl.system.bar_all()
        pl.move(l, al)
        pl.move(r, bl)
        pl.system.bar_all()
        pl.matmul(c0, l, r)
        pl.system.bar_all()
        pl.store(c, c0, [0, 0], scale=2 if Mode == 1 else 3)
"""


def keys(options, folder, run):
    """What is wrong with kernels that have tiling keys, or nothing."""
    source = folder / "keyed.py"
    source.write_text(KEYED, encoding="utf-8")
    for mode, kind, n in ((0, 0, 7), (1, 2, 7), (0, 2, -4), (1, 0, 5)):
        (folder / "out.bin").unlink(missing_ok=True)
        command = [options.placid, "run", "--no-daemon", "--arch", "a5", "--kernel", "kern", "--out", str(folder)]
        status, said = run([*command, "--in", f"n={n}", "--in", f"Mode={mode}", "--in", f"Kind={kind}", str(source)])
        if status != 0:
            return f"tiling keys: exit {status}: {said[:800]}"
        found = list(struct.unpack("<8i", (folder / "out.bin").read_bytes()))
        if found != keyed(mode, kind, n):
            return f"tiling keys {mode} {kind}: {found}, not {keyed(mode, kind, n)}"
    source.write_text(KEYED_SCALE, encoding="utf-8")
    _, said = run([options.placid, "ir", "--no-daemon", "--arch", "a5", "--emit", "pto", str(source)])
    return None if "PL6108" in said else f"a scale that a key chooses is not refused: {said[:800]}"
