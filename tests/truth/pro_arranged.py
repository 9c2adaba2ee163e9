# SPDX-License-Identifier: Apache-2.0
"""Kernels of pypto_pro that sort, count, pick, place and scale, with what comes of them in plain Python.

Each function writes one into a Program (see pro_programs). What a record of a sort holds is compared bit by bit: the index is
in the upper four of its eight bytes, whatever the dtype of the tile says.
"""
import struct

GROUP = 32


def real(dtype, bits):
    """The number that an element of the dtype with these bits is."""
    return struct.unpack("<e", struct.pack("<H", bits))[0] if dtype == "FP16" else struct.unpack("<f", struct.pack("<I", bits))[0]


def records(dtype, pairs):
    out = []
    for value, index in pairs:
        out += [float(value), 0.0, real(dtype, index & 0xFFFF), real(dtype, index >> 16)] if dtype == "FP16" else [float(value), real(dtype, index)]
    return out


def begin(program, *lines):
    program.body += ["with pl.section_vector():", *(f"    {line}" for line in lines)]


def now(*names):
    return [f"{name}_now = {name}.current()" for name in names]


def finish(program, tile, shape, dtype, expected):
    program.tensor("z", shape, dtype, data=False)
    program.body.append(f"    pl.store(z, {tile}, [0, 0])")
    program.expected = expected


def sort(program):
    rng = program.rng
    dtype, rows, columns = rng.choice(["FP16", "FP32"]), rng.randint(1, 3), GROUP * rng.randint(1, 3)
    length = 4 if dtype == "FP16" else 2
    x = program.given("x", dtype, [[rng.randint(-40, 40) for _ in range(columns)] for _ in range(rows)])
    own = rows if rng.random() < 0.5 else 1
    indices = program.given("indices", "UINT32", [rng.sample(range(2000), columns) for _ in range(own)])
    program.tile("a", [rows, columns], dtype, "Vec", 0)
    program.tile("i", [own, columns], "UINT32", "Vec", 0x4000)
    program.tile("d", [rows, columns * length], dtype, "Vec", 0x8000)
    begin(program, *now("a", "i", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(i_now, indices, [0, 0])", "pl.sort32(d_now, a_now, i_now)")
    expected = []
    for r in range(rows):
        pairs = list(zip(x[r], indices[r if own > 1 else 0]))
        expected.append([])
        for at in range(0, columns, GROUP):
            expected[-1] += records(dtype, sorted(pairs[at : at + GROUP], key=lambda pair: (-pair[0], pair[1])))
    finish(program, "d_now", [rows, columns * length], dtype, expected)


def runs(rng, count):
    return sorted(((rng.randint(-50, 50), rng.randint(0, 4000)) for _ in range(count)), key=lambda pair: -pair[0])


def merged(lists):
    # Of equal values that of the first list comes first, which is what a stable sort does.
    return sorted((pair for one in lists for pair in one), key=lambda pair: -pair[0])


def merge(program):
    rng = program.rng
    dtype = rng.choice(["FP16", "FP32"])
    length = 4 if dtype == "FP16" else 2
    if rng.random() < 0.5:
        block, times = 64 * rng.randint(1, 2), rng.randint(1, 2)
        lists = [[runs(rng, block // length) for _ in range(4)] for _ in range(times)]
        columns = 4 * block * times
        program.given("x", dtype, [[v for four in lists for one in four for v in records(dtype, one)]])
        program.tile("a", [1, columns], dtype, "Vec", 0)
        program.tile("d", [1, columns], dtype, "Vec", 0x8000)
        begin(program, *now("a", "d"), "pl.load(a_now, x, [0, 0])", f"pl.mrgsort(d_now, a_now, block_len={block})")
        return finish(program, "d_now", [1, columns], dtype, [[v for four in lists for v in records(dtype, merged(four))]])
    count = rng.randint(2, 4)
    lists = [runs(rng, 16 * rng.randint(1, 3)) for _ in range(count)]
    kept = rng.choice([sum(map(len, lists)), 16])
    for n, one in enumerate(lists):
        program.given(f"x{n}", dtype, [records(dtype, one)])
        program.tile(f"a{n}", [1, len(one) * length], dtype, "Vec", 0x1000 * n)
    program.tile("t", [1, sum(map(len, lists)) * length], dtype, "Vec", 0x10000)
    program.tile("d", [1, kept * length], dtype, "Vec", 0x8000)
    names = [f"a{n}" for n in range(count)]
    loads = [f"pl.load({name}_now, x{n}, [0, 0])" for n, name in enumerate(names)]
    more = "".join(f", {name}_now" for name in names[2:])
    begin(program, *now(*names, "t", "d"), *loads, f"pl.mrgsort2(a0_now, a1_now, d_now, t_now{more}, exhausted=False)")
    return finish(program, "d_now", [1, kept * length], dtype, [records(dtype, merged(lists)[:kept])])


def scatter(program):
    rng = program.rng
    dtype, index = rng.choice([("FP32", "INT32"), ("INT32", "UINT32"), ("FP16", "INT16")])
    rows, columns, more = rng.randint(1, 4), 16 * rng.randint(1, 3), rng.randint(0, 2)
    x = program.tensor("x", [rows, columns], dtype)
    places = rng.sample(range((rows + more) * columns), rows * columns)
    program.given("places", index, [places[r * columns : (r + 1) * columns] for r in range(rows)])
    program.tile("a", [rows, columns], dtype, "Vec", 0)
    program.tile("i", [rows, columns], index, "Vec", 0x4000)
    program.tile("d", [rows + more, columns], dtype, "Vec", 0x8000)
    begin(program, *now("a", "i", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(i_now, places, [0, 0])", "pl.scatter(d_now, a_now, i_now)")
    flat = [0] * ((rows + more) * columns)
    for place, value in zip(places, (v for row in x for v in row)):
        flat[place] = value
    finish(program, "d_now", [rows + more, columns], dtype, [flat[r * columns : (r + 1) * columns] for r in range(rows + more)])


def gather(program):
    rng = program.rng
    rows, columns = 8 * rng.randint(1, 2), 64
    x = program.tensor("x", [rows, columns], "FP32")
    flat = [v for row in x for v in row]
    program.tile("a", [rows, columns], "FP32", "Vec", 0)
    if rng.random() < 0.5:
        offsets = [[32 * rng.randrange(rows * columns // 8) for _ in range(columns // 8)] for _ in range(rows)]
        program.given("places", "UINT32", offsets)
        program.tile("i", [rows, columns // 8], "UINT32", "Vec", 0x8000)
        call = "pl.gatherb(d_now, a_now, i_now)"
        expected = [[flat[offsets[r][c // 8] // 4 + c % 8] for c in range(columns)] for r in range(rows)]
    else:
        places = program.given("places", "INT32", [[rng.randrange(rows * columns) for _ in range(columns)] for _ in range(rows)])
        program.tile("i", [rows, columns], "INT32", "Vec", 0x8000)
        program.tile("t", [rows, columns], "INT32", "Vec", 0x10000)
        call = "pl.gather(d_now, a_now, i_now, t.current())"
        expected = [[flat[place] for place in row] for row in places]
    program.tile("d", [rows, columns], "FP32", "Vec", 0xC000)
    begin(program, *now("a", "i", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(i_now, places, [0, 0])", call)
    finish(program, "d_now", [rows, columns], "FP32", expected)


def count(program):
    rng = program.rng
    wide, top = rng.random() < 0.5, rng.random() < 0.5
    rows, columns, dtype = 32, 32 * rng.randint(1, 2), "UINT32" if wide else "UINT16"
    small = lambda: rng.choice([0, 1, 7, 255])  # noqa: E731
    x = [[sum(small() << (8 * byte) for byte in range(4 if wide else 2)) for _ in range(columns)] for _ in range(rows)]
    program.given("x", dtype, x)
    filters = [[small()] * columns for _ in range(3)] if wide else [[small()] for _ in range(rows)]
    program.given("filters", "UINT8", filters)
    program.tile("a", [rows, columns], dtype, "Vec", 0)
    program.tile("i", [3, columns] if wide else [rows, 1], "UINT8", "Vec", 0x4000, "" if wide else ", layout=pl.DN")
    program.tile("d", [rows, 256], "UINT32", "Vec", 0x8000)
    begin(program, *now("a", "i", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(i_now, filters, [0, 0])",
          f"pl.histogram(d_now, a_now, i_now, is_msb={top})")  # fmt: skip
    above = (3 if wide else 1) if top else 0
    expected = []
    for r, row in enumerate(x):
        counts = [0] * 256
        for value in row:
            wanted = [filters[2 - (byte - 1)][0] for byte in range(above + 1, 4)] if wide else [filters[r][0]] * (1 - above)
            if all(value >> (8 * byte) & 255 == one for byte, one in zip(range(above + 1, 4 if wide else 2), wanted)):
                counts[value >> (8 * above) & 255] += 1
        expected.append([sum(counts[: bin + 1]) for bin in range(256)])
    finish(program, "d_now", [rows, 256], "UINT32", expected)


def scale(program):
    rng = program.rng
    rows, columns = 8 * rng.randint(1, 2), 32 * rng.randint(1, 2)
    kind = rng.choice(["SYM", "ASYM", "back"])
    factors = program.given("factors", "FP32", [[rng.choice([0.25, 0.5, 1.0, 3.0])] for _ in range(rows)])
    moved = program.given("moved", "FP32", [[float(rng.randint(-9, 90))] for _ in range(rows)]) if kind != "SYM" else None
    source, made = ("INT8", "FP32") if kind == "back" else ("FP32", "INT8" if kind == "SYM" else "UINT8")
    x = program.given("x", source, [[rng.randint(-100, 100) if kind == "back" else rng.randint(-300, 300) / 2 for _ in range(columns)] for _ in range(rows)])
    program.tile("a", [rows, columns], source, "Vec", 0)
    program.tile("f", [rows, 1], "FP32", "Vec", 0x4000)
    program.tile("m", [rows, 1], "FP32", "Vec", 0x5000)
    program.tile("d", [rows, columns], made, "Vec", 0x8000)
    call = {"SYM": "pl.quant(d_now, a_now, f_now)", "ASYM": "pl.quant(d_now, a_now, f_now, mode=pl.QuantMode.ASYM, offset=m_now)",
            "back": "pl.dequant(d_now, a_now, f_now, m_now)"}[kind]  # fmt: skip
    begin(program, *now("a", "f", "m", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(f_now, factors, [0, 0])",
          *(["pl.load(m_now, moved, [0, 0])"] if moved else []), call)  # fmt: skip
    run = {"SYM": lambda v, r: max(-128, min(127, round(v * factors[r][0]))),
           "ASYM": lambda v, r: max(0, min(255, round(v * factors[r][0] + moved[r][0]))),
           "back": lambda v, r: (v - moved[r][0]) * factors[r][0]}[kind]  # fmt: skip
    finish(program, "d_now", [rows, columns], made, [[run(v, r) for v in row] for r, row in enumerate(x)])


def meet(program):
    rng = program.rng
    rows, columns = 8 * rng.randint(1, 3), 16 * rng.randint(1, 3)
    used = (rng.randint(1, rows), columns) if rng.random() < 0.5 else (rows, rng.randint(1, columns))
    x = program.tensor("x", [rows, columns], "INT32")
    y = program.tensor("y", [rows, columns], "INT32")
    part = f"[{used[0]}, {used[1]}]"
    if rng.random() < 0.5:
        part = "[rows, columns]"
        for name, extent in zip(("rows", "columns"), used):
            program.parameters.append(f"{name}: pl.DT_INT32")
            program.numbers[name] = extent
    name, run = rng.choice([("partadd", lambda p, q: p + q), ("partmul", lambda p, q: p * q), ("partmax", max), ("partmin", min)])
    small, large = rng.choice([("a", "b"), ("b", "a")])
    for number, one in enumerate(("a", "b", "d")):
        program.tile(one, [rows, columns], "INT32", "Vec", 0x4000 * number, ", valid_shape=[-1, -1]")
    begin(program, *now("a", "b", "d"), *(f"pl.set_validshape({one}_now, [{rows}, {columns}])" for one in (large, "d")),
          f"pl.set_validshape({small}_now, {part})", "pl.load(a_now, x, [0, 0])", "pl.load(b_now, y, [0, 0])",
          f"pl.{name}(d_now, a_now, b_now)")  # fmt: skip
    whole = y if large == "b" else x
    expected = [[run(x[i][j], y[i][j]) if i < used[0] and j < used[1] else whole[i][j] for j in range(columns)] for i in range(rows)]
    finish(program, "d_now", [rows, columns], "INT32", expected)


def add(program):
    rng = program.rng
    rows, columns = 8 * rng.randint(1, 3), 16 * rng.randint(1, 3)
    narrow = rng.choice(["FP16", "FP32"])
    x = program.tensor("x", [rows, columns], narrow)
    y = program.tensor("y", [rows, columns], "FP32")
    program.tile("a", [rows, columns], narrow, "Vec", 0)
    program.tile("b", [rows, columns], "FP32", "Vec", 0x4000)
    program.tile("d", [rows, columns], "FP32", "Vec", 0x8000)
    begin(program, *now("a", "b", "d"), "pl.load(a_now, x, [0, 0])", "pl.load(b_now, y, [0, 0])")
    if narrow == "FP16" or rng.random() < 0.5:
        factor = rng.choice([2.0, -3.0, 0.5])
        program.body.append(f"    pl.axpy(b_now, a_now, {factor})")
        return finish(program, "b_now", [rows, columns], "FP32", [[q + factor * p for p, q in zip(one, two)] for one, two in zip(x, y)])
    program.body.append("    pl.addc(d_now, a_now, b_now, b_now)")
    return finish(program, "d_now", [rows, columns], "FP32", [[p + 2 * q for p, q in zip(one, two)] for one, two in zip(x, y)])


def columns(program):
    rng = program.rng
    rows, width = rng.randint(2, 20), 16 * rng.randint(1, 3)
    if rng.random() < 0.4:
        start = rng.randint(-9, 9)
        program.tile("d", [1, width], "INT32", "Vec", 0)
        begin(program, *now("d"), f"pl.fill_index(d_now, {start})")
        return finish(program, "d_now", [1, width], "INT32", [[start + c for c in range(width)]])
    dtype = rng.choice(["FP32", "INT32", "FP16"])
    name, best = rng.choice([("argmax", max), ("argmin", min)])
    x = program.tensor("x", [rows, width], dtype)
    program.tile("a", [rows, width], dtype, "Vec", 0)
    program.tile("t", [rows, width], dtype, "Vec", 0x8000)
    program.tile("d", [1, width], "INT32", "Vec", 0x10000)
    begin(program, *now("a", "t", "d"), "pl.load(a_now, x, [0, 0])", f"pl.{name}(d_now, a_now, t_now, dim=1)")
    turned = [list(column) for column in zip(*x)]
    return finish(program, "d_now", [1, width], "INT32", [[column.index(best(column)) for column in turned]])


FAMILIES = (sort, merge, scatter, gather, count, scale, meet, add, columns)


def arranged(program, number):
    FAMILIES[number % len(FAMILIES)](program)
