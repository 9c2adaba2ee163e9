# SPDX-License-Identifier: Apache-2.0
"""Products of pypto_pro whose operands have eight bits: MX products with a power of two for each 32 elements of the inner
axis, and those of FP8 and HiFloat8 as they are. Codes are decoded here by the definition of each format.
"""
import math


def fixed(exponent_bits, mantissa_bits):
    def value(code):
        sign, rest = (-1 if code & 128 else 1), code & 127
        exponent, mantissa = rest >> mantissa_bits, rest & ((1 << mantissa_bits) - 1)
        bias = (1 << (exponent_bits - 1)) - 1
        whole = mantissa + (1 << mantissa_bits if exponent else 0)
        return sign * math.ldexp(whole, max(exponent, 1) - bias - mantissa_bits)

    return value


def hifloat(code):
    """The dot says how long the exponent is: 11 four bits, 10 three, 01 two, 001 one, 0001 none; 0000 begins the smallest."""
    sign, text = (-1 if code & 128 else 1), f"{code & 127:07b}"
    for dot, length, mantissa_bits in (("11", 4, 1), ("10", 3, 2), ("01", 2, 3), ("001", 1, 3), ("0001", 0, 3)):
        if text.startswith(dot):
            rest = text[len(dot) :]
            exponent = int("1" + rest[1:length], 2) * (-1 if rest[0] == "1" else 1) if length else 0
            return sign * math.ldexp(int("1" + rest[length:], 2), exponent - mantissa_bits)
    return sign * math.ldexp(1, int(text, 2) - 23) if int(text, 2) else 0.0


VALUES = {"FP8E4M3FN": fixed(4, 3), "FP8E5M2": fixed(5, 2), "HF8": hifloat}
#: Codes of small numbers, so that every sum is exact.
CODES = {dtype: [code for code in range(256) if code != 128 and (value := run(code)) * 4 == int(value * 4) and abs(value) <= 3]
         for dtype, run in VALUES.items()}  # fmt: skip


def codes(rng, dtype, rows, columns):
    return [[rng.choice(CODES[dtype]) for _ in range(columns)] for _ in range(rows)]


def turn(rows):
    return [list(one) for one in zip(*rows)]


def scaled(program):
    rng = program.rng
    scales = rng.random() < 0.7
    m, n, rounds = 32 * rng.randint(1, 2), 32 * rng.randint(1, 2), rng.randint(1, 3)
    step = 64 * rng.randint(1, 2)
    k, pairs = step * rounds, step // 64
    if scales:
        kinds = [rng.choice(["FP8E4M3FN", "FP8E5M2"]) for _ in range(2)]
    else:
        kinds = rng.choice([["HF8", "HF8"], ["FP8E4M3FN", "FP8E5M2"], ["FP8E5M2", "FP8E5M2"]])
    turned = [rng.random() < 0.5 for _ in range(4)]  # a, b, scales of a, scales of b
    a, b = codes(rng, kinds[0], m, k), codes(rng, kinds[1], k, n)
    program.given("a", kinds[0], turn(a) if turned[0] else a)
    program.given("b", kinds[1], turn(b) if turned[1] else b)
    # One scale for 32 elements, in pairs: [lanes, pairs, 2] or [pairs, lanes, 2].
    sa = [[rng.randint(125, 129) for _ in range(k // 32)] for _ in range(m)]
    sb = [[rng.randint(125, 129) for _ in range(k // 32)] for _ in range(n)]
    if scales:
        for name, lanes, first in (("sa", sa, turned[2]), ("sb", sb, not turned[3])):
            rows = [[one[2 * p + j] for j in range(2)] for one in lanes for p in range(k // 64)]
            if first:
                rows = [[one[2 * p + j] for j in range(2)] for p in range(k // 64) for one in lanes]
            shape = [k // 64, len(lanes), 2] if first else [len(lanes), k // 64, 2]
            program.given(name, "FP8E8M0", rows, declared=str(shape))
    # A part in use does not cross branches and rounds.
    used = rng.randint(1, m) if rounds == 1 and rng.random() < 0.7 else m
    rows = str(used)
    if used < m and rng.random() < 0.5:
        rows = "rows"
        program.parameters.append("rows: pl.DT_INT32")
        program.numbers["rows"] = used
    program.tensor("c", [m, n], "FP32", data=False)
    part = ", valid_shape=[-1, -1]"
    program.tile("a_l1", [m, step], kinds[0], "Mat", 0, (", layout=pl.ZN" if turned[0] else "") + part)
    program.tile("b_l1", [step, n], kinds[1], "Mat", 0x8000, ", layout=pl.ZN" if turned[1] else "")
    program.tile("left", [m, step], kinds[0], "Left", 0, part)
    program.tile("right", [step, n], kinds[1], "Right", 0)
    program.tile("acc", [m, n], "FP32", "Acc", 0, part)
    if scales:
        program.tile("sa_l1", [m, 2 * pairs], "FP8E8M0", "Mat", 0x20000, ", layout=pl.ZZ" + part)
        program.tile("sb_l1", [2 * pairs, n], "FP8E8M0", "Mat", 0x21000, ", layout=pl.NN")
        program.tile("sa_l0", [m, 2 * pairs], "FP8E8M0", "ScaleLeft", 0, part)
        program.tile("sb_l0", [2 * pairs, n], "FP8E8M0", "ScaleRight", 0)
    cut = used < m
    live = rows if cut else str(m)
    order = lambda yes: ", order=[1, 0]" if yes else ""  # noqa: E731
    lines = [f"a1, b1, l0, r0 = {', '.join(name + '.current()' for name in ('a_l1', 'b_l1', 'left', 'right'))}"]
    lines += [f"pl.set_validshape({tile}, [{live}, {step}])" for tile in ("a1", "l0")]
    lines += [f"pl.load(a1, a, {f'[k * {step}, 0]' if turned[0] else f'[0, k * {step}]'}{order(turned[0])})",
              f"pl.load(b1, b, {f'[0, k * {step}]' if turned[1] else f'[k * {step}, 0]'}{order(turned[1])})",
              "pl.move(l0, a1)", "pl.move(r0, b1)"]  # fmt: skip
    if scales:
        at = lambda first: f"[k * {pairs}, 0, 0]" if first else f"[0, k * {pairs}, 0]"  # noqa: E731
        lines += ["s1, t1, s0, t0 = " + ", ".join(name + ".current()" for name in ("sa_l1", "sb_l1", "sa_l0", "sb_l0")),
                  *(f"pl.set_validshape({tile}, [{live}, {2 * pairs}])" for tile in ("s1", "s0")),
                  f"pl.load(s1, sa, {at(turned[2])}{order(turned[2])})", f"pl.load(t1, sb, {at(not turned[3])}{order(turned[3])})",
                  "pl.move(s0, s1)", "pl.move(t0, t1)"]  # fmt: skip
    name, more = ("matmul_mx", ", s0, t0") if scales else ("matmul", "")
    first, then = f"pl.{name}(c0, l0, r0{more})", f"pl.{name}_acc(c0, c0, l0, r0{more})"
    lines += ["if k == 0:", "    " + first, "else:", "    " + then] if rounds > 1 else [first]
    begin, inner = (f"for k in pl.range({rounds}):", "        ") if rounds > 1 else ("k = 0", "    ")
    program.body += ["with pl.section_cube():", "    c0 = acc.current()", f"    pl.set_validshape(c0, [{live}, {n}])",
                     "    " + begin, *(inner + line for line in lines), "    pl.store(c, c0, [0, 0])"]  # fmt: skip
    value = [VALUES[kind] for kind in kinds]
    factor = lambda one, q: math.ldexp(1, one[q // 32] - 127) if scales else 1  # noqa: E731
    left = [[value[0](code) * factor(sa[i], q) for q, code in enumerate(row)] for i, row in enumerate(a)]
    right = [[value[1](b[q][j]) * factor(sb[j], q) for q in range(k)] for j in range(n)]
    last = used if cut else m
    program.expected = [[sum(p * q for p, q in zip(left[i], right[j])) if i < last else 0 for j in range(n)] for i in range(m)]
