# SPDX-License-Identifier: Apache-2.0
"""Random legal programs for both cores: products that the vector unit goes on with, operands that it prepares, products
of what it made of products, in loops that carry tiles and in pipelines. `program(seed, src)` fills the frame of generate.py.
"""
from vector_programs import Tiles

DTYPE = "FP32"


def operand(src, rng, tiles, depth, rows, inner, row):
    """The left operand of a product: loaded for the cube unit, or made by the vector unit."""
    name = tiles.name()
    if rng.random() < 0.5:
        src.line(depth, f"{name} = pl.load(x, [{row}, 0], [{rows}, {inner}], target_memory=pl.Mem.Mat)")
        return name
    src.line(depth, f"{name} = pl.load(x, [{row}, 0], [{rows}, {inner}])")
    made = tiles.name()
    src.line(depth, f"{made} = {rng.choice(['pl.add({0}, {0})', 'pl.mul({0}, 2.0)', 'pl.neg({0})', 'pl.abs({0})'])}".format(name))
    return made


def program(src):
    rng = src.rng
    rows, inner, cols = 16 * rng.randint(1, 2), 16 * rng.choice([1, 2, 3]), 16 * rng.choice([1, 2, 3])
    trips = rng.choice([1, 2, 4])
    src.tensor("x", [rows * trips, inner], "FP16")
    src.tensor("w", [inner, cols], "FP16")
    src.tensor("c", [rows, cols], DTYPE)
    second = rng.random() < 0.4
    if second:
        src.tensor("v", [cols, cols], "FP16")
    src.tensor("y", [rows * trips, cols], DTYPE, out=True)
    tiles = Tiles(src, rng, DTYPE, rows, cols)
    src.line(0, f"wt = pl.load(w, [0, 0], [{inner}, {cols}], target_memory=pl.Mem.Mat)")
    if second:
        src.line(0, f"vt = pl.load(v, [0, 0], [{cols}, {cols}], target_memory=pl.Mem.Mat)")
    tiles.put(0, f"pl.load(c, [0, 0], [{rows}, {cols}])", "full")
    early = rng.random() < 0.3  # a product from before the loop that the loop reads
    if early:
        tiles.put(0, f"pl.matmul({operand(src, rng, tiles, 0, rows, inner, 0)}, wt)", "full")
    carried = trips > 1 and rng.random() < 0.5
    if carried:
        src.line(0, f"acc = pl.tile.full([{rows}, {cols}], dtype=pl.{DTYPE}, value=0.0)")
    depth, row = 0, "0"
    if trips > 1:
        form = f"pl.pipeline({trips}, stage=2)" if rng.random() < 0.4 and not carried else f"pl.range({trips})"
        src.line(0, f"for i in {form}:")
        depth, row = 1, f"i * {rows}"
    if carried:
        tiles.full.append("acc")
    for _ in range(rng.randint(1, 2)):
        product = tiles.put(depth, f"pl.matmul({operand(src, rng, tiles, depth, rows, inner, row)}, wt)", "full")
        for _ in range(rng.randint(0, 4)):
            tiles.step(depth)
    # A product that nobody asks for would leave two kernels that have nothing to do with each other.
    result = tiles.put(depth, f"pl.add({tiles.full[-1]}, {product})", "full")
    if second:
        small = tiles.name()
        src.line(depth, f"{small} = pl.tile.minimums(pl.tile.maximums({result}, -1000.0), 1000.0)")
        half = tiles.name()
        src.line(depth, f'{half} = pl.cast({small}, target_type=pl.FP16, mode="rint")')
        product = tiles.put(depth, f"pl.matmul({half}, vt)", "full")
        result = tiles.put(depth, f"pl.add({product}, {tiles.full[0]})", "full")
    if carried:
        src.line(depth, f"acc = pl.add(acc, {result})")
        result = "acc"
    src.line(depth, f"y = pl.store({result}, [{row}, 0], y)")
    src.line(0, "return y")
