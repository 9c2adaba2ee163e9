#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels of pypto_pro: what `placid run` makes of them against the same sums in plain Python.

    pro_programs.py --placid build/release/bin/placid [--seeds N] [--first S] [--keep DIR]

One of five is a matrix product in a cube section: accumulated over K in a loop whose first round begins the sum, operands as
they are, transposed by the load, or NZ in global memory. Others are chains of vector operations over blocks of rows, and
rows of a number known at run time, shared by several blocks, the last part of them ragged; products with a bias that leave scaled, cut at zero or converted; and parts of
tiles (pro_fixpipe). With each comes a kernel whose sense is
its control flow (pro_control). Before them come programs that have to be
refused (PL6108), and such with groups of several tiles. Data are small integers, so that
every sum is exact. Where there is a `ptoas` (PTOAS_ROOT or PATH), it has to take every PTO IR. Ends with `N kernels agree` or
the first that does not.
"""
import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "toolchain"))
import assemble  # noqa: E402
from pro_arranged import arranged  # noqa: E402
from pro_control import COLUMNS, PLACES, ROWS, Control  # noqa: E402
from pro_fixpipe import CODES, fills, fixpipe, packed  # noqa: E402
from pro_keys import keys  # noqa: E402
from pro_scales import scaled  # noqa: E402

FIXED = """import pypto_pro.language as pl

T = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
BUMP = lambda t: pl.add(t, t, 1.0)


def change(s):
    s.i = s.i + 1
    return 1


def fill_slots(slots, first):
    for k in pl.range(4):
        one = slots[(first + k) % 4]
        one.at[k % 2] = k * 64
        one.count += k


CNT = 0


def count():
    global CNT
    CNT = CNT + 1


def size(p):
    if p > 3:
        return 1


def kind(p):
    if p > 10:
        return 2
    elif p > 5:
        return 1
    return 0


def pair(p):
    made = pl.struct('S', first=p, second=p + 1)
    made.second = made.second + p
    return made


def fill(t, source, row, other=None):
    pl.load(t, source, [row, 0])
    pl.system.bar_all()
    if other is not None:
        pl.load(t, other, [row, 0])
        pl.system.bar_all()


def ahead(group, source, row):
    pl.load(group.next(), source, [row, 0])


def star(t, *more):
    pl.add(t, t, 1.0)


@pl.jit
def kern(x: pl.Tensor[[256, 64], pl.DT_FP32], y: pl.Tensor[[256, 64], pl.DT_FP32], z: pl.Tensor[[256, 64], pl.DT_FP32]):
    g = pl.make_tile_group(type=T, addrs=[0x0, 0x4000], mutex_ids=[0, 1])
    o = pl.make_tile(T, addr=0x10000)
    t = pl.make_tile(T, addr=0x14000)
    u = pl.make_tile(T, addr=0x14000)
    with pl.section_vector():
"""
# Bodies of FIXED that have no form at the tile level: each has to be refused, never lowered to something else.
REFUSED = {
    "names exchanged": "cur = o\nnxt = t\npl.load(cur, x, [0, 0])\nfor i in pl.range(3):\n    pl.load(nxt, x, [i * 64, 0])\n"
                       "    pl.store(z, cur, [i * 64, 0])\n    cur, nxt = nxt, cur",
    "a tensor rebound": "src = x\nfor i in pl.range(2):\n    pl.load(t, src, [i * 64, 0])\n    pl.system.bar_all()\n"
                        "    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()\n    src = y",
    "bytes overwritten in the round before": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nfor i in pl.range(2):\n    pl.add(o, t, t)\n"
                                             "    pl.store(z, o, [i * 64, 0])\n    pl.load(u, y, [i * 64, 0])\n    pl.system.bar_all()",
    "a part larger than what was written": "pl.set_validshape(t, [32, 64])\npl.load(t, x, [0, 0])\npl.system.bar_all()\n"
                                           "pl.set_validshape(t, [48, 64])\npl.store(z, t, [0, 0])",
    "bytes of another name behind a loop without a round": "pl.load(t, x, [0, 0])\npl.system.bar_all()\npl.store(z, t, [64, 0])\n"
                                                           "for i in pl.range(pl.get_block_idx()):\n    pl.load(u, y, [0, 0])\n"
                                                           "    pl.system.bar_all()\npl.store(z, u, [0, 0])",
    "an operand that its operation spoils": "pl.load(t, x, [0, 0])\npl.load(o, y, [0, 0])\npl.system.bar_all()\n"
                                            "pl.mul_add_dst(o, t, t)\npl.store(z, t, [0, 0])",
    "a part set after the load, in a loop": "for i in pl.range(2):\n    pl.load(t, x, [i * 64, 0])\n    pl.system.bar_all()\n"
                                            "    pl.set_validshape(t, [32, 64])\n    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()",
    "a step below zero": "for i in pl.range(3, 0, -1):\n    pl.load(t, x, [i * 64, 0])\n    pl.system.bar_all()\n    pl.store(z, t, [i * 64, 0])",
    "match": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nmatch 1:\n    case 1:\n        pl.add(t, t, 1.0)\npl.store(z, t, [0, 0])",
    "keywords from a dict": "kw = {'atomic': pl.AtomicType.AtomicAdd}\npl.load(t, x, [0, 0])\npl.system.bar_all()\npl.store(z, t, [0, 0], **kw)",
    "and": "pl.load(t, x, [0, 0])\npl.system.bar_all()\npl.get_block_idx() > 0 and pl.add(t, t, 1.0)\npl.store(z, t, [0, 0])",
    "a lambda": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nBUMP(t)\npl.store(z, t, [0, 0])",
    "a helper with *args": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nstar(t, 1)\npl.store(z, t, [0, 0])",
    "a dict comprehension": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nr = {k: pl.add(t, t, 1.0) for k in (1, 2)}\npl.store(z, t, [0, 0])",
    "a field that a helper changes while it is changed": "s = pl.struct('S', i=pl.get_block_idx(), j=[0, 0])\ns.j[s.i] += change(s)\n"
                                                         "pl.load(t, x, [s.i * 64, 0])\npl.system.bar_all()\npl.store(z, t, [s.j[0] * 64, 0])",
    "a struct that the array does not have": "s = pl.struct_array(2, 'S', i=0)\ns[2].i = 1\npl.load(t, x, [0, 0])\npl.store(z, t, [0, 0])",
    "a list of a struct that holds a half": "s = pl.struct('S', l=[0, 1])\ns.l[pl.get_block_idx()] = 0.5\npl.load(t, x, [s.l[1] * 64, 0])\n"
                                            "pl.system.bar_all()\npl.store(z, t, [0, 0])",
    "a comparison as numbers": "m = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_UINT8, target_memory=pl.MemorySpace.Vec), addr=0x20000)\n"
                               "pl.load(t, x, [0, 0])\npl.system.bar_all()\npl.gt(m, t, 1.0)\npl.cast(o, m)\npl.store(z, o, [0, 0])",
}
REFUSED |= {
    "a round that may not count on": "k = 0\nwhile k < 4:\n    pl.load(t, x, [k * 64, 0])\n    pl.system.bar_all()\n    pl.store(z, t, [k * 64, 0])\n"
                                     "    if pl.get_block_idx() == 0:\n        k += 1",
    "a bound that moves": "k = 0\nn = 2\nwhile k < n:\n    pl.load(t, x, [k * 64, 0])\n    pl.system.bar_all()\n    pl.store(z, t, [k * 64, 0])\n"
                          "    if k == 0:\n        n = 3\n        k += 1\n        continue\n    k += 1",
    "a struct rebound in a loop": "s = pl.struct('S', i=5)\nfirst = s\nr = pl.struct('S', i=10)\nfor k in pl.range(2):\n    s.i = k\n    s = r\n"
                                  "pl.load(t, x, [first.i * 8, 0])\npl.system.bar_all()\npl.store(z, t, [r.i * 8, 0])",
    "a helper that may give None": "pl.load(t, x, [0, 0])\npl.system.bar_all()\nif size(pl.get_block_idx()):\n    pl.add(t, t, 1.0)\npl.store(z, t, [0, 0])",
    "bytes of another name behind a branch": "pl.load(t, x, [0, 0])\npl.system.bar_all()\npl.add(o, t, t)\npl.store(z, o, [128, 0])\n"
                                             "if pl.get_block_idx() > 3:\n    pl.load(u, y, [0, 0])\n    pl.system.bar_all()\npl.store(z, u, [0, 0])",
    "a slot that the group does not have": "s = pl.struct('S', j=3)\npl.load(g[s.j], x, [0, 0])\npl.store(z, g[s.j], [0, 0])",
    "a global name that is bound": "count()\npl.load(t, x, [0, 0])\npl.system.bar_all()\npl.store(z, t, [CNT * 64, 0])",
    "a number too large": "a = pl.get_block_idx()\n" + "a = a + a\n" * 8 + "pl.setval(z, a, 3.0)",
    "many early exits": "".join(f"if pl.get_block_idx() == {k}:\n    return\n" for k in range(300)) + "pl.load(t, x, [0, 0])\npl.store(z, t, [0, 0])",
}
WORDS = "w = pl.make_tile(pl.TileType(shape=[1, {0}], dtype=pl.DT_UINT32, target_memory=pl.MemorySpace.Vec), addr=0x20000)\n" \
        "v = pl.make_tile(pl.TileType(shape=[1, {0}], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec), addr=0x22000)\n" \
        "r = pl.make_tile(pl.TileType(shape=[1, {1}], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec), addr=0x24000)\n"  # fmt: skip
REFUSED |= {
    "a group of less than 32": WORDS.format(16, 32) + "pl.expands(v, 1.0)\npl.expands(w, 1)\npl.sort32(r, v, w, v)\npl.store(z, r, [0, 0])",
    "runs that do not fill a row": WORDS.format(64, 64) + "pl.expands(v, 1.0)\npl.mrgsort(r, v, block_len=64)\npl.store(z, r, [0, 0])",
    "a merge that ends early": WORDS.format(16, 16) + "pl.expands(v, 1.0)\npl.mrgsort2(v, v, r, v, exhausted=True)\npl.store(z, r, [0, 0])",
    "scratch of a merge as numbers": WORDS.format(16, 16) + "pl.expands(v, 1.0)\npl.expands(t, 1.0)\npl.mrgsort2(v, v, r, t)\npl.store(z, t, [0, 0])",
    "strides of a program": "pl.set_stride(x, [128, 1])\npl.load(t, x, [0, 0])\npl.store(z, t, [0, 0])",
    "a part of what is placed": WORDS.format(64, 64) + "pl.expands(w, 1)\npl.expands(v, 1.0)\npl.set_validshape(v, [1, 32])\n"
                                                       "pl.scatter(r, v, w)\npl.store(z, r, [0, 0])",
    "parts that do not meet": "pl.load(t, x, [0, 0])\npl.load(o, y, [0, 0])\npl.system.bar_all()\npl.set_validshape(t, [32, 64])\n"
                              "pl.set_validshape(o, [64, 32])\npl.partadd(u, t, o)\npl.store(z, u, [0, 0])",
}
# Bodies that rules find fault with: a check and a build, which traces, read the same.
JUDGED = {
    "behind a loop that is left": "for w in pl.range(2):\n    for i in pl.range(4):\n        if i == pl.get_block_idx():\n            break\n"
                                  "    pl.load(g[w + 1], x, [0, 0])\n    pl.store(z, g[w + 1], [0, 0])",
    "where a field decides": "s = pl.struct('S', i=0)\nif s.i == 1:\n    pl.load(g[5], x, [0, 0])\npl.load(t, x, [0, 0])\npl.store(z, t, [0, 0])",
}
# Bodies of FIXED that have one: how each row of z comes from those of x and y.
LOWERED = {
    "a part set after the load": ("pl.load(t, x, [0, 0])\npl.system.bar_all()\npl.set_validshape(t, [32, 64])\npl.store(z, t, [0, 0])",
                                  lambda x, y, row: x[row] if row < 32 else 0),
    "a part that a branch chooses": ("for i in pl.range(4):\n    if i == 3:\n        pl.set_validshape(t, [32, 64])\n    else:\n"
                                     "        pl.set_validshape(t, [64, 64])\n    pl.load(t, x, [i * 64, 0])\n    pl.system.bar_all()\n"
                                     "    pl.mul(t, t, 2.0)\n    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()",
                                     lambda x, y, row: 2 * x[row] if row < 224 else 0),
    "behind a loop that has a round": ("for i in pl.range(x.shape[0] // 64):\n    pl.load(t, x, [i * 64, 0])\n    pl.system.bar_all()\n"
                                       "pl.store(z, t, [0, 0])", lambda x, y, row: x[row + 192] if row < 64 else 0),
    "an early exit in front of a tile that is handed on": ("for i in pl.range(4):\n    if i == 3:\n        break\n    pl.load(t, x, [i * 64, 0])\n"
                                                           "    pl.system.bar_all()\n    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()\n"
                                                           "pl.add(t, t, 1.0)\npl.store(z, t, [192, 0])",
                                                           lambda x, y, row: x[row] if row < 192 else x[row - 64] + 1),
    "two tiles in turn": ("a = g.next()\npl.load(a, x, [0, 0])\nb = g.next()\npl.load(b, y, [0, 0])\npl.add(o, a, b)\npl.store(z, o, [0, 0])",
                          lambda x, y, row: x[row] + y[row] if row < 64 else 0),
    "constant slots": ("for i in pl.range(4):\n    pl.load(g[0], x, [i * 64, 0])\n    pl.load(g[1], y, [i * 64, 0])\n"
                       "    pl.sub(o, g[0], g[1])\n    pl.store(z, o, [i * 64, 0])", lambda x, y, row: x[row] - y[row]),
    "one index": ("for i in pl.range(4):\n    pl.load(g[i % 2], y, [i * 64, 0])\n    pl.store(z, g[i % 2], [i * 64, 0])",
                  lambda x, y, row: y[row]),
    "a turn a round": ("for i in pl.range(4):\n    a = g.next()\n    pl.load(a, x, [i * 64, 0])\n    pl.mul(a, a, 2.0)\n"
                       "    pl.store(z, a, [i * 64, 0])", lambda x, y, row: 2 * x[row]),
    "a field that changes": ("s = pl.struct('S', i=pl.get_block_idx())\ns.i = s.i + 1\npl.load(t, x, [s.i * 64, 0])\n"
                             "pl.system.bar_all()\npl.store(z, t, [s.i * 64, 0])", lambda x, y, row: x[row] if 64 <= row < 128 else 0),
    "a field that a helper changes": ("s = pl.struct('S', i=pl.get_block_idx())\nchange(s)\npl.load(t, x, [s.i * 64, 0])\n"
                                      "pl.system.bar_all()\npl.store(z, t, [s.i * 64, 0])", lambda x, y, row: x[row] if 64 <= row < 128 else 0),
    "slots that a helper fills": ("s = pl.struct_array(4, 'Slot', at=[0, 0], count=0)\nfill_slots(s, 1)\nfor i in pl.range(4):\n"
                                  "    pl.load(t, x, [(s[i].at[0] + s[i].at[1]) % 256, 0])\n    pl.system.bar_all()\n"
                                  "    pl.store(z, t, [s[(i + 3) % 4].count * 64, 0])\n    pl.system.bar_all()",
                                  lambda x, y, row: x[(row + 64) % 256]),
    "turns between rounds that are left": ("for i in pl.range(4):\n    if i == 1:\n        continue\n    a = g.next()\n    pl.load(a, x, [i * 64, 0])\n"
                                           "    pl.store(z, a, [i * 64, 0])\n    if i == 2:\n        break",
                                           lambda x, y, row: x[row] if row < 64 or 128 <= row < 192 else 0),
    "added to what is there": ("for i in pl.range(3):\n    pl.load(t, x, [i * 64, 0])\n    pl.system.bar_all()\n"
                               "    pl.store(z, t, [0, 0], atomic=pl.AtomicType.AtomicAdd)\n    pl.system.bar_all()",
                               lambda x, y, row: x[row] + x[row + 64] + x[row + 128] if row < 64 else 0),
    "a choice by a comparison": ("m = pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_UINT8, target_memory=pl.MemorySpace.Vec), addr=0x20000)\n"
                                 "pl.load(t, x, [0, 0])\npl.load(o, y, [0, 0])\npl.system.bar_all()\npl.gt(m, t, 9.0)\n"
                                 "pl.select(t, m, t, o, g[0])\npl.store(z, t, [0, 0])",
                                 lambda x, y, row: (x[row] if x[row] > 9 else y[row]) if row < 64 else 0),
    "sums cut at zero": ("pl.load(t, x, [0, 0])\npl.load(o, y, [0, 0])\npl.system.bar_all()\npl.sub_relu(t, t, o)\npl.add_relu(t, t, o)\n"
                         "pl.store(z, t, [0, 0])", lambda x, y, row: max(0, max(0, x[row] - y[row]) + y[row]) if row < 64 else 0),
    "an optional argument": ("fill(t, x, 0)\npl.store(z, t, [0, 0])\npl.system.bar_all()\nfill(t, x, 64, y)\npl.store(z, t, [64, 0])",
                             lambda x, y, row: x[row] if row < 64 else y[row] if row < 128 else 0),
    "a helper that always gives a number": ("for i in pl.range(4):\n    pl.load(t, x, [kind(i * 4) * 64, 0])\n    pl.system.bar_all()\n"
                                            "    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()",
                                            lambda x, y, row: x[row % 64 + 64 * (0, 0, 1, 2)[row // 64]]),
    "a field that is constant": ("s = pl.struct('S', j=1)\nfor i in pl.range(4):\n    pl.load(g[s.j], x, [(i + s.j) % 4 * 64, 0])\n"
                                 "    pl.store(z, g[s.j], [i * 64, 0])", lambda x, y, row: x[(row + 64) % 256]),
    "a struct that a helper makes": ("for i in pl.range(2):\n    s = pair(i)\n    s.first = s.first * 2\n    pl.load(t, x, [s.second * 64, 0])\n"
                                     "    pl.system.bar_all()\n    pl.store(z, t, [s.first * 64, 0])\n    pl.system.bar_all()",
                                     lambda x, y, row: x[row % 64 + (64, 0, 192)[row // 64]] if row // 64 in (0, 2) else 0),
    "compared to a truth": ("for i in pl.range(4):\n    if (i > 1) == True:\n        pl.load(t, x, [i * 64, 0])\n    else:\n        pl.load(t, y, [i * 64, 0])\n"
                            "    pl.system.bar_all()\n    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()",
                            lambda x, y, row: y[row] if row < 128 else x[row]),
    "or of a number": ("for i in pl.range(4):\n    j = i or 3\n    pl.load(t, x, [j * 64, 0])\n    pl.system.bar_all()\n"
                       "    pl.store(z, t, [i * 64, 0])\n    pl.system.bar_all()",
                       lambda x, y, row: x[row + 192] if row < 64 else x[row]),
}
LOWERED |= {
    "two indices": ("for i in pl.range(4):\n    pl.load(g[i % 2], x, [i * 64, 0])\n    pl.load(g[(i + 1) % 2], y, [i * 64, 0])\n"
                    "    pl.add(o, g[i % 2], g[(i + 1) % 2])\n    pl.store(z, o, [i * 64, 0])", lambda x, y, row: x[row] + y[row]),
    "loaded a round ahead": ("pl.load(g[0], x, [0, 0])\nfor i in pl.range(4):\n    if i < 3:\n        pl.load(g[(i + 1) % 2], x, [(i + 1) * 64, 0])\n"
                             "    pl.mul(o, g[i % 2], 2.0)\n    pl.store(z, o, [i * 64, 0])", lambda x, y, row: 2 * x[row]),
    "the slot before": ("for i in pl.range(4):\n    a = g.next()\n    pl.load(a, x, [i * 64, 0])\n    if i > 0:\n        pl.add(o, a, g.previous())\n"
                        "        pl.store(z, o, [i * 64, 0])", lambda x, y, row: x[row] + x[row - 64] if row >= 64 else 0),
    "turned in a helper": ("ahead(g, x, 0)\nfor i in pl.range(3):\n    now = g.current()\n    ahead(g, x, (i + 1) * 64)\n    pl.add(o, now, g.current())\n"
                           "    pl.store(z, o, [i * 64, 0])", lambda x, y, row: x[row] + x[row + 64] if row < 192 else 0),
    "a taken tile in a loop that turns": ("a = g.next()\npl.load(a, x, [0, 0])\nfor i in pl.range(2):\n    pl.add(o, a, a)\n"
                                          "    pl.store(z, o, [i * 64, 0])\n    b = g.next()\n    pl.load(b, y, [i * 64, 0])",
                                          lambda x, y, row: 2 * x[row % 64] if row < 128 else 0),
    "filled before the loop": ("pl.load(g.next(), x, [0, 0])\npl.load(g.next(), x, [64, 0])\nfor i in pl.range(2):\n"
                               "    pl.store(z, g.current(), [i * 64, 0])\n    g.next()", lambda x, y, row: x[(row + 64) % 128] if row < 128 else 0),
    "turned round": ("a = g.next()\npl.load(a, x, [0, 0])\nb = g.next()\nc = g.next()\npl.load(c, y, [0, 0])\npl.store(z, a, [0, 0])",
                     lambda x, y, row: y[row] if row < 64 else 0),
    "a group that a branch turned": ("a = g.next()\npl.load(a, x, [0, 0])\nif pl.get_block_idx() > 3:\n    b = g.next()\n    pl.load(b, y, [0, 0])\n"
                                     "for i in pl.range(2):\n    c = g.current()\n    pl.add(c, c, 1.0)\n    pl.store(z, c, [i * 64, 0])",
                                     lambda x, y, row: x[row % 64] + 1 + row // 64 if row < 128 else 0),
    "a group that a loop turned": ("for w in pl.range(2):\n    a = g.next()\n    pl.load(a, x, [w * 64, 0])\n    pl.store(z, a, [128, 0])\nc = g.current()\n"
                                   "if pl.get_block_idx() > 3:\n    pl.load(c, y, [0, 0])\npl.store(z, c, [0, 0])",
                                   lambda x, y, row: x[64 + row % 64] if row < 64 or 128 <= row < 192 else 0),
    "another index behind a loop": ("for w in pl.range(2):\n    pl.load(g[w], x, [w * 64, 0])\n    pl.store(z, g[w], [128, 0])\n"
                                    "for i in pl.range(2):\n    pl.add(g[pl.get_block_idx()], g[pl.get_block_idx()], 1.0)\n"
                                    "pl.store(z, g[pl.get_block_idx()], [0, 0])",
                                    lambda x, y, row: x[row] + 2 if row < 64 else x[row - 64] if 128 <= row < 192 else 0),
    "a tile by the way": ("c = t\nif pl.get_block_idx() == 0:\n    c = o\npl.load(t, y, [64, 0])\npl.load(c, x, [0, 0])\npl.system.bar_all()\npl.store(z, c, [0, 0])\n"
                          "pl.store(z, t, [64, 0])", lambda x, y, row: x[row] if row < 64 else y[row] if row < 128 else 0),
    "a tile by a number": ("for i in pl.range(4):\n    c = o if i % 2 == 0 else g.next() if i == 1 else t\n    pl.load(c, x, [i * 64, 0])\n    pl.system.bar_all()\n"
                           "    pl.add(c, c, 1.0)\n    pl.store(z, c, [i * 64, 0])\n    pl.system.bar_all()", lambda x, y, row: x[row] + 1),
    "a round that counts on every way": ("k = 0\nwhile k < 4:\n    if k == 2:\n        k += 1\n        continue\n    pl.load(t, x, [k * 64, 0])\n"
                                         "    pl.system.bar_all()\n    pl.store(z, t, [k * 64, 0])\n    pl.system.bar_all()\n    k += 1",
                                         lambda x, y, row: 0 if 128 <= row < 192 else x[row]),
    "rounds of two conditions": ("k = 0\nn = 3\nwhile not k * 2 >= 6 and n not in (1, 7):\n    pl.load(t, x, [k * 64, 0])\n    pl.system.bar_all()\n"
                                 "    pl.store(z, t, [k * 64, 0])\n    pl.system.bar_all()\n    n = n - 1\n    k = k + 1",
                                 lambda x, y, row: x[row] if row < 128 else 0),
    "a loop that is left at once": ("k = 0\nwhile 3 > k:\n    pl.load(t, x, [k * 64, 0])\n    pl.system.bar_all()\n    pl.store(z, t, [k * 64, 0])\n    break",
                                    lambda x, y, row: x[row] if row < 64 else 0),
    "a conditional expression": ("pl.load(t, x, [0, 0])\npl.system.bar_all()\n"
                                 "pl.add(t, t, 1.0) if pl.get_block_idx() > 0 else pl.add(t, t, 2.0)\npl.store(z, t, [0, 0])",
                                 lambda x, y, row: x[row] + 2 if row < 64 else 0),
}

# Two kernels, of which one has a form at the tile level, but for a call that says something of the run.
TWO = """import pypto_pro.language as pl

T = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)


@pl.jit
def lowered(x: pl.Tensor[[64, 64], pl.DT_FP32], z: pl.Tensor[[64, 64], pl.DT_FP32]):
    t = pl.make_tile_group(type=T, addrs=0x0, mutex_ids=[0])
    with pl.section_vector():
        pl.load(t.current(), x, [0, 0])
        pl.printf("loaded")
        pl.store(z, t.current(), [0, 0])


@pl.jit
def other(x: pl.Tensor[[64, 64], pl.DT_FP32], z: pl.Tensor[[64, 64], pl.DT_FP32]):
    t = pl.make_tile_group(type=T, addrs=0x0, mutex_ids=[0])
    with pl.section_vector():
        pl.load(t.current(), x, [0, 0])
        pl.set_vec_mask(255, 255)
        pl.store(z, t.current(), [0, 0])
"""

HEAD = "import pypto_pro.language as pl\n\n\n@pl.jit\ndef kern(\n"


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.parameters, self.body = [], []
        self.inputs, self.numbers, self.blocks = {}, {}, 1
        families = (self.cube, self.vector, self.ragged, lambda: fixpipe(self), lambda: fills(self), lambda: scaled(self),
                    lambda: arranged(self, seed // 8 * 2), lambda: arranged(self, seed // 8 * 2 + 1))  # fmt: skip
        families[seed % len(families)]()
        self.text = HEAD + "".join(f"    {one},\n" for one in self.parameters) + "):\n" + "".join(
            f"    {line}\n" for line in self.body)

    def tensor(self, name, shape, dtype, layout="", data=True, declared=None):
        self.parameters.append(f"{name}: pl.Tensor[{declared or shape}, pl.DT_{dtype}{layout}]")
        if data:
            values = [[self.rng.randint(-3, 3) for _ in range(shape[1])] for _ in range(shape[0])]
            self.inputs[name] = (dtype, values)
            return values
        self.output = (name, dtype, shape)
        return None

    def given(self, name, dtype, values, declared=None):
        self.parameters.append(f"{name}: pl.Tensor[{declared or [len(values), len(values[0])]}, pl.DT_{dtype}]")
        self.inputs[name] = (dtype, values)
        return values

    def tile(self, name, shape, dtype, memory, address, extra=""):
        self.body.append(f"{name} = pl.make_tile_group(type=pl.TileType(shape={shape}, dtype=pl.DT_{dtype}, "
                         f"target_memory=pl.MemorySpace.{memory}{extra}), addrs={address:#x}, mutex_ids=[{self.mutex}])")
        self.mutex += 1

    mutex = 0

    def cube(self):
        rng = self.rng
        m, n, step, rounds = (16 * rng.randint(1, 3), 16 * rng.randint(1, 3), 16 * rng.randint(1, 2), rng.randint(1, 4))
        k = step * rounds
        kinds = [rng.choice(["plain", "turned", "nz"]) for _ in range(2)]
        a = self.operand("a", [m, k], kinds[0])
        b = self.operand("b", [k, n], kinds[1])
        self.tensor("c", [m, n], "FP32", data=False)
        layout = {"plain": "", "nz": "", "turned": ", layout=pl.ZN"}
        self.tile("a_l1", [m, step], "FP16", "Mat", 0, layout[kinds[0]])
        self.tile("b_l1", [step, n], "FP16", "Mat", 0x10000, layout[kinds[1]])
        self.tile("left", [m, step], "FP16", "Left", 0)
        self.tile("right", [step, n], "FP16", "Right", 0)
        self.tile("acc", [m, n], "FP32", "Acc", 0, ", fractal=1024" if rng.random() < 0.5 else "")
        order = {"plain": "", "nz": "", "turned": ", order=[1, 0]"}
        at_a = f"[k * {step}, 0]" if kinds[0] == "turned" else f"[0, k * {step}]"
        at_b = f"[0, k * {step}]" if kinds[1] == "turned" else f"[k * {step}, 0]"
        self.body += [
            "with pl.section_cube():",
            "    c_l0 = acc.current()",
            f"    for k in pl.range({rounds}):",
            f"        pl.load(a_l1.current(), a, {at_a}{order[kinds[0]]})",
            f"        pl.load(b_l1.current(), b, {at_b}{order[kinds[1]]})",
            "        pl.move(left.current(), a_l1.current())",
            "        pl.move(right.current(), b_l1.current())",
            "        if k == 0:",
            "            pl.matmul(c_l0, left.current(), right.current())",
            "        else:",
            "            pl.matmul_acc(c_l0, c_l0, left.current(), right.current())",
            "    pl.store(c, c_l0, [0, 0])",
        ]
        self.expected = [[sum(a[i][q] * b[q][j] for q in range(k)) for j in range(n)] for i in range(m)]

    def operand(self, name, shape, kind):
        if kind == "turned":
            stored = self.tensor(name, shape[::-1], "FP16")
            return [list(row) for row in zip(*stored)]
        return self.tensor(name, shape, "FP16", ", pl.NZ" if kind == "nz" else "")

    def vector(self):
        rng = self.rng
        rows, columns, blocks = 8 * rng.randint(1, 3), 32 * rng.randint(1, 3), rng.randint(1, 3)
        batched = rng.random() < 0.5
        shown = f"[{blocks}, {rows}, {columns}]" if batched else None
        at = "[i, 0, 0]" if batched else f"[i * {rows}, 0]"
        x = self.tensor("x", [rows * blocks, columns], "FP32", declared=shown)
        y = self.tensor("y", [rows * blocks, columns], "FP32", declared=shown)
        self.tensor("z", [rows * blocks, columns], "FP32", data=False, declared=shown)
        for number, name in enumerate(("a", "b", "d")):
            self.tile(name + "_group", [rows, columns], "FP32", "Vec", number * 0x8000)
        self.tile("line_group", [rows, 1], "FP32", "Vec", 0x18000, ", layout=pl.DN")
        self.body += [
            "with pl.section_vector():",
            f"    for i in pl.range({blocks}):",
            "        a = a_group.current()",
            "        b = b_group.current()",
            "        d = d_group.current()",
            "        line = line_group.current()",
            f"        pl.load_tile(a, x, {'[i, 0, 0]' if batched else '[i, 0]'})",
            f"        pl.load(b, y, {at})",
        ]
        state = {"a": [row[:] for row in x], "b": [row[:] for row in y]}
        for _ in range(rng.randint(2, 6)):
            self.step(rng, state)
        self.body.append(f"        pl.store(z, a, {at})")
        self.expected = state["a"]

    def ragged(self):
        rng = self.rng
        rows, columns, step = rng.randint(1, 40), 16 * rng.randint(1, 4), 8 * rng.randint(1, 2)
        shown = f"[pl.DYNAMIC, {columns}]"
        x = self.tensor("x", [rows, columns], "FP32", declared=shown)
        self.parameters.append("first: pl.DT_INT32")
        self.tensor("z", [rows, columns], "FP32", data=False, declared=shown)
        first = rng.randint(0, 1)
        self.blocks = rng.randint(1, 3)
        self.numbers = {"x_0": rows, "z_0": rows, "first": first}
        self.tile("group", [step, columns], "FP32", "Vec", 0)
        self.body += [
            "with pl.section_vector():",
            f"    for i in pl.range(pl.get_block_idx() + first, (x.shape[0] + {step - 1}) // {step}, pl.get_block_num()):",
            f"        rows = pl.min({step}, x.shape[0] - i * {step})",
            "        a = group.current()",
            f"        pl.set_validshape(a, [rows, {columns}])",
            f"        pl.load(a, x, [i * {step}, 0])",
            "        pl.mul(a, a, 2.0)",
            "        pl.relu(a, a)",
            f"        pl.store(z, a, [i * {step}, 0])",
        ]
        # What is before the first block stays as it was.
        self.expected = [[max(2 * p, 0) if i >= first * step else 0 for p in row] for i, row in enumerate(x)]

    def step(self, rng, state):
        a, b = state["a"], state["b"]
        kind = rng.choice(["tiles", "number", "relu", "sum", "maximum"])
        emit = lambda line: self.body.append("        " + line)  # noqa: E731
        if kind == "tiles":
            op, run = rng.choice([("add", lambda p, q: p + q), ("sub", lambda p, q: p - q), ("maximum", max), ("minimum", min)])
            emit(f"pl.{op}(a, a, b)")
            state["a"] = [[run(p, q) for p, q in zip(one, two)] for one, two in zip(a, b)]
        elif kind == "number":
            op, run = rng.choice([("add", lambda p: p + 2), ("mul", lambda p: p * 2)])
            emit(f"pl.{op}(a, a, 2.0)")
            state["a"] = [[run(p) for p in row] for row in a]
        elif kind == "relu":
            emit("pl.relu(b, a)")
            state["b"] = [[max(p, 0) for p in row] for row in a]
        elif kind == "sum":
            emit("pl.sum(line, b, d)")
            emit("pl.expand_sub(a, a, line)")
            state["a"] = [[p - sum(two) for p in one] for one, two in zip(a, b)]
        else:
            emit("pl.maximum(line, a, d, dim=0)")
            emit("pl.expand_sub(b, b, line)")
            state["b"] = [[p - max(one) for p in two] for one, two in zip(a, b)]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, (done.stdout + done.stderr).strip()


def judge(options, seed, folder):
    """What is wrong, or nothing."""
    program = Program(seed)
    source = folder / f"pro_{seed}.py"
    source.write_text(program.text, encoding="utf-8")
    command = [options.placid, "run", "--no-daemon", "--arch", "a5", "--kernel", "kern", "--out", str(folder)]
    for name, (dtype, rows) in program.inputs.items():
        (folder / f"{name}.in").write_bytes(packed(dtype, rows))
        command += ["--in", f"{name}={folder / name}.in"]
    for name, number in program.numbers.items():
        command += ["--in", f"{name}={number}"]
    command += ["--blocks", str(program.blocks)] if program.blocks > 1 else []
    name, dtype, shape = program.output
    (folder / f"{name}.bin").unlink(missing_ok=True)
    status, said = run([*command, str(source)])
    if status != 0:
        return f"seed {seed}: exit {status}: {said[:800]}"
    found = struct.unpack(f"<{shape[0] * shape[1]}{CODES[dtype]}", (folder / f"{name}.bin").read_bytes())
    wanted = [float(value) for row in program.expected for value in row]
    for i, (one, other) in enumerate(zip(found, wanted)):
        if one != other:
            return f"seed {seed}: element [{i // shape[1]}, {i % shape[1]}] is {one}, not {other}\n{program.text}"
    return assembled(options, source, folder, f"seed {seed}")


def fixed(options, folder):
    """What is wrong with the bodies of FIXED, or nothing."""
    source = folder / "fixed.py"
    write = lambda body: source.write_text(FIXED + "".join(f"        {line}\n" for line in body.split("\n")))  # noqa: E731
    for name, body in REFUSED.items():
        write(body)
        _, said = run([options.placid, "ir", "--no-daemon", "--arch", "a5", "--emit", "pto", str(source)])
        if "PL6108" not in said and "PL6151" not in said:  # the lowering, or a rule about statements
            return f"{name}: is not refused: {said[:800]}"
    for name, body in JUDGED.items():
        write(body)
        for command in (["check"], ["ir", "--emit", "pto"]):
            _, said = run([options.placid, command[0], "--no-daemon", "--arch", "a5", *command[1:], str(source)])
            if "PL6044" not in said:
                return f"{name}: `{command[0]}` finds no fault: {said[:800]}"
    x, y = ([float((row * 7 + shift) % 50) for row in range(256)] for shift in (1, 20))
    for one, rows in (("x", x), ("y", y)):
        (folder / f"{one}.in").write_bytes(packed("FP32", [[value] * 64 for value in rows]))
    for name, (body, wanted) in LOWERED.items():
        write(body)
        command = [options.placid, "run", "--no-daemon", "--arch", "a5", "--kernel", "kern", "--out", str(folder)]
        if "AtomicAdd" in body:
            (folder / "z.in").write_bytes(packed("FP32", [[0.0] * 64] * 256))
            command += ["--in", f"z={folder / 'z.in'}"]
        status, said = run([*command, "--in", f"x={folder / 'x.in'}", "--in", f"y={folder / 'y.in'}", str(source)])
        if status != 0:
            return f"{name}: exit {status}: {said[:800]}"
        if (folder / "z.bin").read_bytes() != packed("FP32", [[float(wanted(x, y, row))] * 64 for row in range(256)]):
            return f"{name}: other numbers than Python's"
    return None


def elsewhere(options, folder):
    """What is wrong with a build of which one kernel has its own route only, or nothing."""
    source = folder / "two.py"
    source.write_text(TWO, encoding="utf-8")
    status, said = run([options.placid, "build", "--no-daemon", "--arch", "a5", "--until", "pto", "--out", str(folder / "two"), str(source)])
    if status != 1 or "PL6108" not in said or "PL6120" not in said:
        return f"a build with another route: exit {status}: {said[:800]}"
    manifest = json.loads((folder / "two" / "manifest.json").read_text(encoding="utf-8"))
    names = [kernel["name"] for kernel in manifest["kernels"]]
    routes = [(one["entry"], one["route"]) for one in manifest.get("elsewhere", [])]
    if names != ["lowered"] or routes != [("other", "pypto_pro")] or "set_vec_mask" not in manifest["elsewhere"][0]["reason"]:
        return f"a manifest with another route: {manifest}"
    return None


def control(options, seed, folder):
    """What is wrong with one program of pro_control, or nothing."""
    program = Control(random.Random(f"control {seed}"))
    source = folder / f"control_{seed}.py"
    source.write_text(program.text, encoding="utf-8")
    x = [float(3 * place - 2) for place in range(PLACES)]
    out, z = program.expected(x)
    (folder / "x.in").write_bytes(packed("FP32", [[value] * (ROWS * COLUMNS) for value in x]))
    command = [options.placid, "run", "--no-daemon", "--arch", "a5", "--kernel", "kern", "--out", str(folder)]
    for name in ("out", "z"):
        (folder / f"{name}.bin").unlink(missing_ok=True)
    status, said = run([*command, "--in", f"x={folder / 'x.in'}", "--in", f"n={program.number}", "--in", f"flag={program.flag}", str(source)])
    if status != 0:
        return f"control {seed}: exit {status}: {said[:800]}"
    found = list(struct.unpack("<16i", (folder / "out.bin").read_bytes()))
    if found != out:
        return f"control {seed}: out is {found}, not {out}\n{program.text}"
    if (folder / "z.bin").read_bytes() != packed("FP32", [[value] * (ROWS * COLUMNS) for value in z]):
        return f"control {seed}: z is not {z}\n{program.text}"
    return assembled(options, source, folder, f"control {seed}")


def assembled(options, source, folder, name):
    """What ptoas says, or nothing."""
    if not options.ptoas:
        return None
    command = [options.placid, "ir", "--no-daemon", "--arch", "a5", "--emit", "pto", str(source)]
    text = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    (folder / "kern.pto").write_text(text, encoding="utf-8")
    accepted, _, complaint = assemble.assemble(options.ptoas, options.extra, folder / "kern.pto")
    return None if accepted else f"{name}: ptoas: {complaint}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    options.ptoas = assemble.find()
    options.extra = ["--disable-infer-layout"] if options.ptoas and assemble.version(options.ptoas) <= (0, 60) else []
    with tempfile.TemporaryDirectory(prefix="placid pro ") as made:
        folder = options.keep or pathlib.Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        if wrong := fixed(options, folder) or elsewhere(options, folder) or keys(options, folder, run):
            print(wrong)
            return 1
        for seed in range(options.first, options.first + options.seeds):
            if wrong := judge(options, seed, folder) or control(options, seed, folder):
                print(wrong)
                return 1
    taken = ", and ptoas takes them" if options.ptoas else ""
    print(f"{2 * options.seeds} kernels agree{taken}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
