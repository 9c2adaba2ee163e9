# SPDX-License-Identifier: Apache-2.0
"""Random kernels of pypto_pro about data on its way: scales and relu of accumulators, biases, parts of tiles and what fills them.

`fixpipe` and `fills` fill a Program of pro_programs: its parameters, body and inputs, and what plain Python makes of the same data.
"""
import math
import struct

#: What an accumulator leaves as: with a scale, and without.
SCALED = {"FP32": ["INT8", "UINT8", "FP16", "FP32"], "INT32": ["INT8", "UINT8", "FP16"]}
PLAIN = {"FP32": ["FP32", "FP16"], "INT32": ["INT32"]}
BOUNDS = {"INT8": (-128, 127), "UINT8": (0, 255)}
PADS = {"zero": 0, "max": 2**31 - 1, "min": -(2**31)}


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


def left(value, scale, offset, dtype, relu):
    """One number of an accumulator, as it leaves."""
    if scale is not None:
        value = value * scale
        if dtype in BOUNDS:
            low, high = BOUNDS[dtype]
            value = min(max(round(value + offset), low), high)  # Python rounds ties to even
    return max(value, 0) if relu else value


def product(program, rng, kind, m, k, n, used):
    """The operands in L0, of which `used` rows of the left one are filled, and their product."""
    a = program.tensor("a", [m, k], kind)
    b = program.tensor("b", [k, n], kind)
    acc = "INT32" if kind == "INT8" else "FP32"
    program.tile("a_l1", [m, k], kind, "Mat", 0)
    program.tile("b_l1", [k, n], kind, "Mat", 0x10000)
    program.tile("left", [m, k], kind, "Left", 0)
    program.tile("right", [k, n], kind, "Right", 0)
    program.tile("acc", [m, n], acc, "Acc", 0)
    program.body += [
        "with pl.section_cube():",
        "    a_now = a_l1.current()",
        "    c_l0 = acc.current()",
        *([f"    pl.set_validshape(a_now, [{used}, {k}])", f"    pl.set_validshape(c_l0, [{used}, {n}])"] if used < m else []),
        "    pl.load(a_now, a, [0, 0])",
        "    pl.load(b_l1.current(), b, [0, 0])",
        "    pl.move(left.current(), a_now)",
        "    pl.move(right.current(), b_l1.current())",
    ]
    return acc, [[sum(p * q for p, q in zip(row, column)) for column in zip(*b)] for row in a]


def row(program, name, values, dtype, memory, address, extra=""):
    """A row of numbers from global memory into a table of the cube core; declared in front of the section."""
    program.inputs[name] = (dtype, [values])
    program.parameters.append(f"{name}: pl.Tensor[[1, {len(values)}], pl.DT_{dtype}]")
    program.tile(f"{name}_l1", [1, len(values)], dtype, "Mat", address, extra)
    program.tile(f"{name}_row", [1, len(values)], memory[1], memory[0], 0)
    return [f"    pl.load({name}_l1.current(), {name}, [0, 0])", f"    pl.move({name}_row.current(), {name}_l1.current())"]


def fixpipe(program):
    rng = program.rng
    kind = rng.choice(["FP16", "BF16", "FP32", "INT8"])
    m, k, n = 32 * rng.randint(1, 2), 32 * rng.randint(1, 2), 32 * rng.randint(1, 2)
    used = rng.choice([m, m - rng.randint(1, 15)])
    acc, sums = product(program, rng, kind, m, k, n, used)
    section = program.body.index("with pl.section_cube():")
    steps, program.body = program.body[section:], program.body[:section]
    operands = "c_l0, left.current(), right.current()"
    if rng.random() < 0.5:
        dtype = "INT32" if kind == "INT8" else rng.choice(["FP32", kind])
        bias = [rng.randint(-9, 9) for _ in range(n)]
        steps += row(program, "bias", bias, dtype, ("Bias", acc), 0x20000)
        operands += ", bias_row.current()"
        sums = [[p + q for p, q in zip(one, bias)] for one in sums]
    steps.append(f"    pl.matmul({operands})")
    how = rng.choice(["none", "constant", "real", "bits", "row"])
    dtype = rng.choice(PLAIN[acc] if how == "none" else SCALED[acc])
    relu = how != "row" and rng.random() < 0.5
    options = ", relu_pre_mode=pl.ReluPreMode.NormalRelu" if relu else ""
    scales = [rng.choice([0.25, 0.5, 0.75, 1.5, 2.0, 3.0])] * n
    offsets = [0] * n
    if how == "constant":
        options += f", scale={scales[0]}"
    elif how in ("real", "bits"):
        options += ", scale=factor"
        program.parameters.append("factor: pl.DT_" + ("FP32" if how == "real" else rng.choice(["INT32", "INT64"])))
        program.numbers["factor"] = scales[0] if how == "real" else bits(scales[0])
    elif how == "row":
        scales = [rng.choice([-1.5, 0.25, 0.5, 0.75, 1.5, 2.0]) for _ in range(n)]
        offsets = [rng.choice([0, 3]) if dtype in BOUNDS else 0 for _ in range(n)]
        words = [bits(s) | o << 37 | (dtype == "INT8") << 46 for s, o in zip(scales, offsets)]
        steps += row(program, "words", words, "INT64", ("Scaling", "INT64"), 0x30000, ", layout=pl.ND")
        options += ", scale=words_row.current()"
    program.tensor("c", [m, n], dtype, data=False)
    program.body += [*steps, f"    pl.store(c, c_l0, [0, 0]{options})"]
    factors = [None] * n if how == "none" else scales
    program.expected = [[left(v, s, o, dtype, relu) if i < used else 0 for v, s, o in zip(one, factors, offsets)]
                        for i, one in enumerate(sums)]  # fmt: skip


def fills(program):
    """A part of a tile that is set behind the load: the rest is filled, or stays as it was in global memory."""
    rng = program.rng
    rows, columns = 8 * rng.randint(1, 3), 16 * rng.randint(1, 3)
    used = (rng.randint(1, rows), rng.randint(1, columns))
    part = f"[{used[0]}, {used[1]}]"
    known = rng.random() < 0.5
    x = program.tensor("x", [rows, columns], "INT32")
    y = program.tensor("y", [rows, columns], "INT32")
    if not known:
        part = "[rows, columns]"
        for name, extent in zip(("rows", "columns"), used):
            program.parameters.append(f"{name}: pl.DT_INT32")
            program.numbers[name] = extent
    pad = rng.choice(list(PADS))
    program.tile("a", [rows, columns], "INT32", "Vec", 0, ", valid_shape=[-1, -1]")
    program.tile("b", [rows, columns], "INT32", "Vec", 0x4000)
    program.tile("d", [rows, columns], "INT32", "Vec", 0x8000, f", pad=pl.TilePad.{pad}")
    program.tile("e", [rows, columns + 16], "INT32", "Vec", 0xC000, f", pad=pl.TilePad.{pad}")
    program.tile("h", [rows, columns // 2], "INT32", "Vec", 0x10000)
    program.body += [
        "with pl.section_vector():",
        "    a_now = a.current()",
        "    b_now = b.current()",
        "    d_now = d.current()",
        f"    pl.set_validshape(a_now, [{rows}, {columns}])",
        "    pl.load(a_now, x, [0, 0])",
        "    pl.load(b_now, y, [0, 0])",
        f"    pl.set_validshape(a_now, {part})",
    ]
    inside = lambda i, j: i < used[0] and j < used[1]  # noqa: E731
    kind = rng.choice(["fill", "expand", "sum", "fused", "mask"])
    if kind == "fill":
        program.body += ["    pl.fillpad(d_now, a_now)", "    pl.store(z, d_now, [0, 0])"]
        wanted = lambda i, j: x[i][j] if inside(i, j) else PADS[pad]  # noqa: E731
    elif kind == "expand":
        program.body += ["    e_now = e.current()", "    pl.fillpad(e_now, a_now, mode=pl.FillPadMode.EXPAND)", "    pl.store(z, e_now, [0, 0])"]
        columns += 16
        wanted = lambda i, j: x[i][j] if inside(i, j) else PADS[pad]  # noqa: E731
    elif kind == "mask":
        mode = rng.randint(1, 2)
        program.body += ["    h_now = h.current()", f"    pl.gathermask(h_now, b_now, pattern_mode={mode})", "    pl.store(z, h_now, [0, 0])"]
        columns //= 2
        wanted = lambda i, j: y[i][2 * j + mode - 1]  # noqa: E731
    elif kind == "sum":
        program.body += ["    pl.add(a_now, a_now, b_now)", "    pl.store(z, a_now, [0, 0])"]
        wanted = lambda i, j: x[i][j] + y[i][j] if inside(i, j) else 0  # noqa: E731
    else:
        op, run = rng.choice([("mul_add_dst", lambda p, q, r: p * q + r), ("fused_mul_add", lambda p, q, r: p * r + q),
                              ("fused_mul_add_relu", lambda p, q, r: max(0, p * r + q)), ("add_relu", lambda p, q, r: max(0, p + q)),
                              ("sub_relu", lambda p, q, r: max(0, p - q))])  # fmt: skip
        program.body += [f"    pl.set_validshape(d_now, {part})", "    pl.mul(d_now, b_now, 2)", f"    pl.{op}(d_now, a_now, b_now)",
                         "    pl.store(z, d_now, [0, 0])"]  # fmt: skip
        wanted = lambda i, j: run(x[i][j], y[i][j], 2 * y[i][j]) if inside(i, j) else 0  # noqa: E731
    program.tensor("z", [rows, columns], "INT32", data=False)
    program.expected = [[wanted(i, j) for j in range(columns)] for i in range(rows)]


#: Numbers of `struct` for each dtype; BF16 has none of its own.
CODES = {"FP16": "e", "FP32": "f", "INT8": "b", "UINT8": "B", "INT16": "h", "UINT16": "H", "INT32": "i", "UINT32": "I", "INT64": "q",
         "FP8E4M3FN": "B", "FP8E5M2": "B", "FP8E8M0": "B", "HF8": "B"}  # fmt: skip


def packed(dtype, rows):
    flat = [value for one in rows for value in one]
    if dtype == "BF16":  # small integers: the upper half of an f32 holds them
        return b"".join(struct.pack("<H", bits(float(value)) >> 16) for value in flat)
    whole = dtype not in ("FP16", "FP32")
    return struct.pack(f"<{len(flat)}{CODES[dtype]}", *(int(v) if whole and math.isfinite(v) else v for v in flat))
