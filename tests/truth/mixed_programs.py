# SPDX-License-Identifier: Apache-2.0
"""Random legal programs for both cores: products that the vector unit goes on with, operands that it prepares, products
of what it made of products, in loops that carry tiles and in pipelines; tensors that one core stores and the other loads; and
programs whose work the two vector lanes divide, each its half or by its number.
`program(src)` and `divided(src)` fill the frame of generate.py.
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


def throughMemory(src, rng, tiles, depth, rows, inner, cols, row, toVector):
    """What one core makes goes to a tensor, from where the other takes it. Tiles from before stay in use."""
    if toVector:
        product = tiles.name()
        src.line(depth, f"{product} = pl.matmul({operand(src, rng, tiles, depth, rows, inner, row)}, wt)")
        src.line(depth, f"m = pl.store({product}, [{row}, 0], m)")
        taken = tiles.put(depth, f"pl.load(m, [{row}, 0], [{rows}, {cols}])", "full")
        if rng.random() < 0.4:
            changed = tiles.put(depth, f"pl.tile.adds({taken}, {tiles.number()})", "full")
            src.line(depth, f"m = pl.store({changed}, [{row}, 0], m)")
        if rng.random() < 0.3:
            tiles.put(depth, f"pl.add({product}, {taken})", "full")
        return
    made, left = tiles.name(), tiles.name()
    src.line(depth, f"{made} = pl.load(x, [{row}, 0], [{rows}, {inner}])")
    src.line(depth, f"n = pl.store(pl.mul({made}, 2.0), [{row}, 0], n)")
    src.line(depth, f"{left} = pl.load(n, [{row}, 0], [{rows}, {inner}], target_memory=pl.Mem.Mat)")
    tiles.put(depth, f"pl.matmul({left}, wt)", "full")


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
    memory = rng.choice([None, None, "m", "m", "n"])  # the tensor through which a tile goes, to the vector or cube core
    if memory:
        src.tensor(memory, [rows * trips, cols if memory == "m" else inner], DTYPE if memory == "m" else "FP16", out=True)
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
    done = []
    for _ in range(rng.randint(1, 2)):
        product = tiles.put(depth, f"pl.matmul({operand(src, rng, tiles, depth, rows, inner, row)}, wt)", "full")
        for _ in range(rng.randint(0, 4)):
            tiles.step(depth)
        if memory and not done:
            done.append(memory)
            throughMemory(src, rng, tiles, depth, rows, inner, cols, row, memory == "m")
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


def divided(src):
    """The lanes have halves, along an axis: by `pl.split`, or by hand in a region of `pl.split_aiv`."""
    rng = src.rng
    mode = rng.choice(["UP_DOWN", "UP_DOWN", "LEFT_RIGHT", "LEFT_RIGHT", "NONE"])
    byHand = mode == "NONE" or rng.random() < 0.4
    rows, inner, cols = 16 * rng.randint(1, 3), 16 * rng.choice([1, 2, 3]), 32 * rng.choice([1, 2])
    trips = rng.choice([1, 2, 3])
    src.scope = "pl.at(level=pl.Level.CORE_GROUP" + ("" if byHand else f", optimizations=[pl.split(pl.SplitMode.{mode})]") + ")"
    src.tensor("x", [rows * trips, inner], "FP16")
    src.tensor("w", [inner, cols], "FP16")
    src.tensor("v", [cols, cols], "FP16")
    src.tensor("c", [rows * trips, cols], DTYPE)
    src.tensor("g", [1, cols], DTYPE)
    memory = rng.random() < 0.5  # a product that the lanes take from memory
    if memory:
        src.tensor("m", [rows * trips, cols], DTYPE, out=True)
    whole = not byHand and rng.random() < 0.3  # a row that both lanes store
    if whole:
        src.tensor("u", [1, cols], DTYPE, out=True)
    src.tensor("y", [rows * trips, cols], DTYPE, out=True)
    half = [rows, cols // 2] if mode == "LEFT_RIGHT" else [rows // 2, cols]
    shape = half if byHand else [rows, cols]
    lane = ["0", f"aiv * {half[1]}"] if mode == "LEFT_RIGHT" else [f"aiv * {half[0]}", "0"]
    tiles = Tiles(src, rng, DTYPE, *shape)
    tiles.without = ("columnOf", "reduceColumn" if mode == "UP_DOWN" else "reduceRow")
    if byHand:
        tiles.without += ("reduceRow", "reduceColumn")  # what a lane reduces may be less than a line of 32 bytes
    src.line(0, f"wt = pl.load(w, [0, 0], [{inner}, {cols}], target_memory=pl.Mem.Mat)")
    second = mode != "NONE" and rng.random() < 0.4
    if second:
        src.line(0, f"vt = pl.load(v, [0, 0], [{cols}, {cols}], target_memory=pl.Mem.Mat)")
    carried = not byHand and trips > 1 and rng.random() < 0.5
    if carried:
        src.line(0, f"acc = pl.tile.full([{rows}, {cols}], dtype=pl.{DTYPE}, value=0.0)")
    depth, row = 0, "0"
    if trips > 1:
        stages = rng.random() < 0.4 and not carried
        src.line(0, f"for i in pl.{'pipeline' if stages else 'range'}({trips}{', stage=2' if stages else ''}):")
        depth, row = 1, f"i * {rows}"
    src.line(depth, f"xt = pl.load(x, [{row}, 0], [{rows}, {inner}], target_memory=pl.Mem.Mat)")
    src.line(depth, "p = pl.matmul(xt, wt)")
    if memory:
        src.line(depth, f"m = pl.store(pl.matmul(xt, wt), [{row}, 0], m)")
    outside = byHand and mode != "LEFT_RIGHT" and rng.random() < 0.5
    if outside:  # both lanes load it
        tiles.put(depth, f"pl.load(g, [0, 0], [1, {shape[1]}])", "row")
    at = [row, "0"]
    inside = depth
    if byHand:
        src.line(depth, f"for aiv in pl.split_aiv(2, mode=pl.SplitMode.{mode}):")
        inside = depth + 1
        at = [f"{row} + {lane[0]}", lane[1]]
        if mode == "NONE":
            src.line(inside, "both = pl.aiv_shard(p)")
            tiles.put(inside, f"pl.slice(both, [{shape[0]}, {shape[1]}], [aiv * {half[0]}, 0])", "full")
        else:
            tiles.put(inside, "pl.aiv_shard(p)", "full")
    else:
        tiles.full.append("p")
    product = tiles.full[0]
    tiles.put(inside, f"pl.load(c, [{at[0]}, {at[1]}], [{shape[0]}, {shape[1]}])", "full")
    if not outside:
        tiles.put(inside, f"pl.load(g, [0, {at[1]}], [1, {shape[1]}])", "row")
    if whole:
        src.line(inside, f"u = pl.store(pl.tile.adds({tiles.row[0]}, 1.0), [0, 0], u)")
    if memory:
        tiles.put(inside, f"pl.load(m, [{at[0]}, {at[1]}], [{shape[0]}, {shape[1]}])", "full")
    if carried:
        tiles.full.append("acc")
    for _ in range(rng.randint(1, 5)):
        tiles.step(inside)
    result = tiles.put(inside, f"pl.add({tiles.full[-1]}, {product})", "full")
    if second:
        src.line(inside, f"small = pl.tile.minimums(pl.tile.maximums({result}, -1000.0), 1000.0)")
        src.line(inside, 'narrow = pl.cast(small, target_type=pl.FP16, mode="rint")')
        if byHand:
            src.line(inside, "whole = pl.aic_gather(narrow)")
            src.line(depth, "q = pl.matmul(whole, vt)")
            src.line(depth, f"for aiv in pl.split_aiv(2, mode=pl.SplitMode.{mode}):")
            src.line(inside, "again = pl.aiv_shard(q)")
            result = "again"
        else:
            src.line(depth, "q = pl.matmul(narrow, vt)")
            result = tiles.put(depth, f"pl.add(q, {tiles.full[1]})", "full")
    if carried:
        src.line(depth, f"acc = pl.add(acc, {result})")
        result = "acc"
    src.line(inside, f"y = pl.store({result}, [{at[0]}, {at[1]}], y)")
    src.line(0, "return y")
