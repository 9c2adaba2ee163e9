# SPDX-License-Identifier: Apache-2.0
"""Random legal programs of kinds that the other generators have little of: windows of which a part is live, by hand or clamped;
weights in NZ whose last window is ragged, whose batch is dynamic, or that fold from rank 4; tensors instead of tiles, with
comparisons, reductions along both axes and gathers; several kernels in one orchestration, one reading what another wrote.
`program(src, types)` fills the frame of generate.py.
"""
from vector_programs import TYPES as UNITS


def program(src, types):
    rng = src.rng
    kind = rng.choice([raggedRows, raggedRows, raggedProduct, raggedWeights, raggedWeights, dynamicBatch, dynamicBatch, foldedWeights, tensors, tensors, several])
    kind(src, rng, types)


def liveWindow(rng, tensor, at, window, total, axis, name):
    """A load whose last window is cut at the edge: (lines ahead, text), with the extent by hand or by the compiler."""
    if rng.random() < 0.35:
        return [], f"pl.load({tensor}, [{', '.join(at)}], {window}, clamp=True"
    live = [str(extent) for extent in window]
    live[axis] = name
    return [f"{name} = pl.min({total} - {at[axis]}, {window[axis]})"], f"pl.load({tensor}, [{', '.join(at)}], {window}, valid_shape=[{', '.join(live)}]"


def number(rng, dtype):
    value = rng.randint(-3, 3)
    return str(value) if dtype.startswith("INT") else f"{value}.0"


def elementwise(src, rng, depth, tiles, dtype, count):
    """`count` more tiles, each of tiles of the same live part."""
    for _ in range(count):
        name = f"e{len(tiles)}"
        kind = rng.choice(["binary", "binary", "scalar", "unary"])
        if kind == "binary":
            text = f"pl.{rng.choice(['add', 'sub', 'maximum', 'minimum', 'mul'])}({rng.choice(tiles)}, {rng.choice(tiles)})"
        elif kind == "scalar":
            text = f"pl.tile.{rng.choice(['adds', 'muls', 'maximums', 'minimums'])}({rng.choice(tiles)}, {number(rng, dtype)})"
        else:
            text = f"pl.neg({rng.choice(tiles)})"
        src.line(depth, f"{name} = {text}")
        tiles.append(name)


def raggedRows(src, rng, _):
    """Rows, columns or both end inside the last window."""
    dtype = rng.choice(list(UNITS))
    unit = UNITS[dtype]
    rows, cols = 16, unit * rng.choice([1, 2, 4])
    tall, axis = rng.randint(17, 60), 0
    wide = cols
    if rng.random() < 0.4:
        axis, tall, wide = 1, rows, cols * rng.randint(1, 2) + rng.randint(1, cols - 1)
    for name in ("x", "g"):
        src.tensor(name, [tall, wide], dtype)
    src.tensor("y", [tall, wide], dtype, out=True)
    src.line(0, f"for i in pl.range(0, {(tall, wide)[axis]}, {(rows, cols)[axis]}):")
    at = ["i", "0"] if axis == 0 else ["0", "i"]
    ahead, text = liveWindow(rng, "x", at, [rows, cols], (tall, wide)[axis], axis, "live")
    for line in ahead:
        src.line(1, line)
    src.line(1, f"e0 = {text})")
    src.line(1, f"e1 = {text.replace('(x', '(g')})")
    tiles = ["e0", "e1"]
    elementwise(src, rng, 1, tiles, dtype, rng.randint(1, 5))
    src.line(1, f"last = pl.tile.adds({tiles[-1]}, {'1' if dtype.startswith('INT') else '1.0'})")
    src.line(1, f"y = pl.store(last, [{', '.join(at)}], y)")
    src.line(0, "return y")


def raggedProduct(src, rng, _):
    """A product of a ragged operand that the vector core goes on with."""
    inner, cols, tall = 16 * rng.randint(1, 3), 16 * rng.randint(1, 3), rng.randint(17, 60)
    src.tensor("x", [tall, inner], "FP16")
    src.tensor("w", [inner, cols], "FP16")
    src.tensor("y", [tall, cols], "FP32", out=True)
    src.line(0, f"b = pl.load(w, [0, 0], [{inner}, {cols}], target_memory=pl.Mem.Mat)")
    src.line(0, f"for i in pl.range(0, {tall}, 16):")
    ahead, text = liveWindow(rng, "x", ["i", "0"], [16, inner], tall, 0, "live")
    for line in ahead:
        src.line(1, line)
    src.line(1, f"a = {text}, target_memory=pl.Mem.Mat)")
    src.line(1, "e0 = pl.matmul(a, b)")
    tiles = ["e0"]
    elementwise(src, rng, 1, tiles, "FP32", rng.randint(1, 4))
    src.line(1, f"last = pl.add({tiles[-1]}, 1.0)")
    src.line(1, "y = pl.store(last, [i, 0], y)")
    src.line(0, "return y")


def raggedWeights(src, rng, types):
    """Windows of an NZ tensor, the last of which is cut."""
    src.dtype = rng.choice(list(types))
    src.acc, src.c0 = types[src.dtype]
    unit = max(16, src.c0)
    m, inner, window = 16 * rng.randint(1, 2), unit * rng.randint(1, 3), unit * rng.randint(2, 4)
    total = window * rng.randint(1, 2) + unit * rng.randint(1, window // unit - 1)
    steps = -(-total // window)
    batch = rng.randint(1, 3) if rng.random() < 0.5 else 0
    src.tensor("x", [m, inner], src.dtype)
    src.tensor("w", ([batch] if batch else []) + [total, inner], src.dtype, "NZ")
    src.tensor("y", [m, steps * window], src.acc, out=True)
    src.line(0, f"a = pl.load(x, [0, 0], [{m}, {inner}], target_memory=pl.Mem.Mat)")
    src.line(0, f"for i in pl.{rng.choice(['range', 'range', 'unroll'])}(0, {total}, {window}):")
    at = ([str(rng.randrange(batch))] if batch else []) + ["i", "0"]
    shape = ([1] if batch else []) + [window, inner]
    ahead, text = liveWindow(rng, "w", at, shape, total, len(at) - 2, "live")
    for line in ahead:
        src.line(1, line)
    src.line(1, f"b = {text}, target_memory=pl.Mem.Mat)")
    if batch:
        return foldRagged(src, m, inner, window, total, rng, ahead)
    src.line(1, "y = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, i], y)")
    src.line(0, "return y")


def foldRagged(src, m, inner, window, total, rng, ahead):
    """Of a batch the whole windows only: what is live of a window of three axes has no two-dimensional form."""
    at = rng.randrange(3)
    src.body = src.body[:1]
    src.parameters = [p for p in src.parameters if p[0] == "x"]
    src.tensor("w", [3, total, inner], src.dtype, "NZ")
    src.tensor("y", [m, total // 16 * 16], src.acc, out=True)
    src.line(0, f"for i in pl.range({total // 32 if src.c0 == 32 else total // 16}):")
    unit = 32 if src.c0 == 32 else 16
    src.line(1, f"b = pl.load(w, [{at}, i * {unit}, 0], [1, {unit}, {inner}], target_memory=pl.Mem.Mat)")
    src.line(1, f"c = pl.reshape(b, [{unit}, {inner}])")
    src.line(1, f"y = pl.store(pl.matmul(a, pl.tile.transpose_view(c)), [0, i * {unit}], y)")
    src.line(0, "return y")


def dynamicBatch(src, rng, types):
    """A batch whose extent only the caller knows, walked whole, of weights and of a result."""
    src.dtype = rng.choice(list(types))
    src.acc, src.c0 = types[src.dtype]
    unit = max(16, src.c0)
    m, n, inner = 16 * rng.randint(1, 3), unit * rng.randint(1, 3), unit * rng.randint(1, 3)
    extent = f"B{src.name}"
    src.prelude = [f'{extent} = pl.dynamic("{extent}")']
    more = unit * rng.randint(0, 2)  # rows that are not taken
    src.tensor("x", [m, inner], src.dtype)
    src.tensor("w", [extent, n + more, inner], src.dtype, "NZ")
    nzOut = src.acc == "FP32" and rng.random() < 0.6
    src.tensor("y", [extent, m, n], src.acc, "NZ" if nzOut else "ND", out=True)
    src.line(0, f"a = pl.load(x, [0, 0], [{m}, {inner}], target_memory=pl.Mem.Mat)")
    if rng.random() < 0.5:
        src.line(0, "count = pl.tensor.dim(w, 0)")
        src.line(0, "for e in pl.range(count):")
        depth, batch = 1, "e"
    else:
        src.line(0, "e = pl.tile.get_block_idx()" if rng.random() < 0.5 else f"e = {rng.randrange(3)}")
        depth, batch = 0, "e"
        if "block" in src.body[-1]:
            src.prelude.append("")
            src.body[-1] = src.body[-1].replace("pl.tile.get_block_idx()", "pl.min(pl.tile.get_block_idx(), 2)")
    src.line(depth, f"p = pl.load(w, [{batch}, {rng.randint(0, more // unit) * unit}, 0], [1, {n}, {inner}], target_memory=pl.Mem.Mat)")
    src.line(depth, f"b = pl.reshape(p, [{n}, {inner}])")
    src.line(depth, f"y = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [{batch}, 0, 0], y)")
    src.line(0, "return y")


def foldedWeights(src, rng, types):
    """Tensors of rank 4 and more, sliced as tensors, for one product or a batch of them."""
    src.dtype = rng.choice(list(types))
    src.acc, src.c0 = types[src.dtype]
    unit = max(16, src.c0)
    m, n, inner = 16 * rng.randint(1, 3), unit * rng.randint(1, 3), unit * rng.randint(1, 3)
    lead = [rng.randint(1, 3) for _ in range(rng.choice([1, 2, 2, 3]))]
    more = unit * rng.randint(0, 2)
    src.tensor("x", [m, inner], src.dtype)
    src.tensor("w", lead + [n + more, inner], src.dtype, "NZ")
    src.tensor("y", [m, n], src.acc, out=True)
    src.scope = "pl.at(level=pl.Level.CORE_GROUP)"
    at = [rng.randrange(extent) for extent in lead]
    first = unit * rng.randint(0, more // unit)
    window = ", ".join([f"{a}:{a + 1}" for a in at] + [f"{first}:{first + n}", f"0:{inner}"])
    src.line(0, f"p = pl.matmul(x[0:{m}, 0:{inner}], w[{window}], b_trans=True, out_dtype=pl.{src.acc})")
    src.line(0, f"y[0:{m}, 0:{n}] = pl.reshape(p, [{m}, {n}])")
    src.line(0, "return y")


def tensorSteps(src, rng, depth, shape, named, count):
    """Operations between tensors of one shape, what is along an axis spread again."""
    rows, cols = shape
    for _ in range(count):
        name = f"s{len(src.body)}"
        kind = rng.choice(["binary", "scalar", "compare", "compareNumber", "row", "column", "cast"])
        pick = lambda: rng.choice(named)
        if kind == "binary":
            text = f"pl.{rng.choice(['add', 'sub', 'maximum', 'minimum', 'mul'])}({pick()}, {pick()})"
        elif kind == "scalar":
            text = f"pl.{rng.choice(['add', 'mul', 'maximum', 'minimum'])}({pick()}, {number(rng, 'FP32')})"
        elif kind == "compare":
            text = f"pl.cmp({pick()}, {pick()}, cmp_type={rng.randrange(6)})"
        elif kind == "compareNumber":
            text = f"pl.cmp({pick()}, {number(rng, 'FP32')}, cmp_type={rng.randrange(6)})"
        elif kind == "row":
            src.line(depth, f"{name}c = pl.row_{rng.choice(['sum', 'max', 'min'])}({pick()})")
            text = f"pl.row_expand_{rng.choice(['add', 'sub', 'mul'])}({pick()}, {name}c)"
        elif kind == "column":
            src.line(depth, f"{name}r = pl.col_{rng.choice(['sum', 'max', 'min'])}({pick()})")
            text = f"pl.col_expand_{rng.choice(['add', 'sub', 'mul'])}({pick()}, {name}r)"
        else:
            src.line(depth, f"{name}l = pl.minimum(pl.maximum({pick()}, -900.0), 900.0)")
            src.line(depth, f'{name}n = pl.cast({name}l, target_type=pl.{rng.choice(["INT32", "FP16"])}, mode="rint")')
            text = f'pl.cast({name}n, target_type=pl.FP32, mode="rint")'
        src.line(depth, f"{name} = {text}")
        # Sums and products stay exact.
        src.line(depth, f"{name}b = pl.minimum(pl.maximum({name}, -50.0), 50.0)")
        named.append(f"{name}b")


def tensors(src, rng, _):
    rows, cols = 16 * rng.randint(1, 2), 16 * rng.randint(1, 4)
    tall, wide = rows + rng.randint(0, 9), cols + 16 * rng.randint(0, 2)
    trips = rng.choice([1, 1, 2, 3])
    src.tensor("x", [tall * trips, wide], "FP32")
    src.tensor("g", [rows, cols], "FP32")
    src.tensor("y", [rows * trips, cols], "FP32", out=True)
    src.scope = "pl.at(level=pl.Level.CORE_GROUP)"
    depth, i = 0, "0"
    if trips > 1:
        src.line(0, f"for i in pl.{rng.choice(['range', 'range', 'unroll'])}({trips}):")
        depth, i = 1, "i"
    r, c = rng.randint(0, tall - rows), rng.randint(0, (wide - cols) // 16) * 16
    src.line(depth, f"a = x[{i} * {tall} + {r} : {i} * {tall} + {r + rows}, {c}:{c + cols}]")
    src.line(depth, f"b = g[0:{rows}, 0:{cols}]")
    named = ["a", "b"]
    tensorSteps(src, rng, depth, (rows, cols), named, rng.randint(1, 4))
    src.line(depth, f"y[{i} * {rows} : {i} * {rows} + {rows}, 0:{cols}] = pl.add({named[-1]}, 1.0)")
    src.line(0, "return y")


def several(src, rng, _):
    """Two or three kernels; what lies between them is in memory."""
    rows, cols = 16 * rng.randint(1, 2), 16 * rng.randint(1, 3)
    count = rng.randint(2, 3)
    src.kind = "Orchestration"
    src.tensor("x", [rows, cols], "FP32")
    src.tensor("g", [rows, cols], "FP32")
    places = [f"m{i}" for i in range(count - 1)]
    for name in places:
        src.tensor(name, [rows, cols], "FP32", out=True)
    src.tensor("y", [rows, cols], "FP32", out=True)
    for i in range(count):
        source, target = (["x"] + places)[i], (places + ["y"])[i]
        src.line(0, "with pl.at(level=pl.Level.CORE_GROUP):")
        src.line(1, f"a{i} = {source}[0:{rows}, 0:{cols}]")
        src.line(1, f"b{i} = {rng.choice(['g', 'x'])}[0:{rows}, 0:{cols}]")
        named = [f"a{i}", f"b{i}"]
        tensorSteps(src, rng, 1, (rows, cols), named, rng.randint(1, 3))
        src.line(1, f"{target}[0:{rows}, 0:{cols}] = pl.add({named[-1]}, 1.0)")
    src.line(0, "return y")
