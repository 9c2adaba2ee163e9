# SPDX-License-Identifier: Apache-2.0
"""Random kernels of pypto_pro whose sense is their control flow: numbers that loops and branches change, `break`, `continue` and
`return`, loops that count with `while`, helpers that return early, elements that are written, and tiles that some ways write
and others read. Their text is Python: `expected` runs it, with tiles that hold one number for all of their elements.
"""
import copy
import types

ROWS, COLUMNS, PLACES = 8, 64, 4
HEAD = f"""import pypto_pro.language as pl

T = pl.TileType(shape=[{ROWS}, {COLUMNS}], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)


def pick(p, q):
    if p > q:
        return p % 7
    for step in pl.range(4):
        if step * 3 > p:
            return step + q % 5
    return 11


def look(s):
    return s.p - s.q


def turn(slots, k, by):
    one = slots[k % 3]
    if by > 4:
        one.v = (one.v + by) % 97
        return one.w
    one.l[by % 2] = one.v + k % 5
    return one.l[0]


@pl.jit
def kern(
    x: pl.Tensor[[{ROWS * PLACES}, {COLUMNS}], pl.DT_FP32],
    n: pl.DT_INT32,
    flag: pl.DT_BOOL,
    out: pl.Tensor[[16], pl.DT_INT32],
    z: pl.Tensor[[{ROWS * PLACES}, {COLUMNS}], pl.DT_FP32],
):
    t = pl.make_tile(T, addr=0x0)
    u = pl.make_tile(T, addr=0x4000)
    with pl.section_vector():
"""


class Control:
    def __init__(self, rng):
        self.rng, self.lines, self.budget, self.loops = rng, [], 26, 0
        self.names = ["a", "b", "c"]
        self.line(2, f"s = pl.struct('S', p={rng.randint(0, 9)}, q=n, l=[{rng.randint(0, 9)}, n, 1])")
        self.line(2, f"ring = pl.struct_array(3, 'R', v={rng.randint(0, 9)}, w=n, l=[0, {rng.randint(0, 9)}])")
        self.line(2, "alias = s")
        self.line(2, f"slot = ring[{rng.choice(['1', 'n % 3'])}]")
        self.number, self.flag = rng.randint(0, 9), rng.randint(0, 1)
        for name in self.names:
            self.line(2, f"{name} = {rng.choice([str(rng.randint(0, 9)), 'n', 'n + 1'])}")
        self.line(2, "pl.load(t, x, [0, 0])")
        self.line(2, "pl.load(u, x, [8, 0])")
        self.names += ["s.p", "s.q", "s.l[1]", "ring[2].v", "slot.w"]
        self.picked = ["s.l[{} % 3]", "ring[{} % 3].v", "ring[{} % 3].l[{} % 2]", "slot.l[{} % 2]", "alias.l[{} % 3]"]
        self.block(2, 0, rng.randint(3, 6))
        self.line(2, "out[11] = look(alias)")
        self.line(2, "out[12] = ring[0].v + ring[1].w * 2 + ring[2].l[0] + ring[1].l[1] + s.l[0]")
        self.names = self.names[:3]
        for i, name in enumerate(self.names):
            self.line(2, f"out[{13 + i}] = {name}")
        self.line(2, "pl.store(z, t, [0, 0])")
        self.line(2, "pl.store(z, u, [8, 0])")
        self.text = HEAD + "".join(self.lines)

    def line(self, depth, text):
        self.lines.append("    " * depth + text + "\n")

    def pick(self, names):
        """A number that another one chooses."""
        form = self.rng.choice(self.picked)
        return form.format(*(self.rng.choice(names) for _ in range(form.count("{}"))))

    def term(self, names):
        rng = self.rng
        names = [*names, self.pick(names)]
        one, other = rng.choice(names), rng.choice([*names, str(rng.randint(1, 9))])
        return rng.choice([one, other, f"{one} + {other}", f"{one} - {other}", f"{one} * {other}", f"{one} // {rng.randint(2, 5)}",
                           f"{one} % {rng.randint(2, 9)}", f"pl.min({one}, {other})", f"pl.max({one}, {other})",
                           f"({one} if {self.condition(names)} else {other})"])

    def condition(self, names):
        rng = self.rng
        one = f"{rng.choice(names)} {rng.choice(['<', '<=', '==', '!=', '>', '>='])} {rng.choice([*names, str(rng.randint(0, 9))])}"
        return rng.choice([one, one, one, "flag", f"not {rng.choice(names)} == 3", f"{one} and {rng.choice(names)} != 1"])

    def block(self, depth, inLoop, count, names=None):
        names = names or [*self.names, "alias.q"]
        before = len(self.lines)
        for _ in range(count):
            self.statement(depth, inLoop, names)
        if len(self.lines) == before:
            self.line(depth, "pass")

    def statement(self, depth, inLoop, names):
        rng = self.rng
        self.budget -= 1
        kinds = ["set", "change", "element", "tile", "tile"] + (["if", "if", "for", "while", "helper"] if self.budget > 0 and depth < 6 else [])
        kinds += ["leave"] if inLoop else []
        kind = rng.choice(kinds)
        target = rng.choice([*self.names, "alias.p", self.pick(names)])
        if kind == "set":
            self.line(depth, f"{target} = ({self.term(names)}) % 97")
        elif kind == "change":
            self.line(depth, f"{target} += {self.term(names)} % 13")
        elif kind == "element":
            self.line(depth, f"out[({self.term(names)}) % 13] = {self.term(names)}")
        elif kind == "helper":
            self.line(depth, rng.choice([f"{target} = pick({self.term(names)}, {rng.choice(names)})", f"{target} = look(s)",
                                         f"{target} = turn(ring, {rng.choice(names)}, {self.term(names)})"]))
        elif kind == "tile":
            at = f"(({self.term(names)}) % {PLACES}) * {ROWS}"
            self.line(depth, rng.choice(["pl.add(t, t, 1.0)", "pl.add(t, t, u)", "pl.minimum(u, t, u)", "pl.mul(u, u, 2.0)",
                                         f"pl.load(t, x, [{at}, 0])", f"pl.load(u, x, [{at}, 0])", f"pl.store(z, t, [{at}, 0])"]))
        elif kind == "leave":
            self.line(depth, f"if {self.condition(names)}:")
            self.block(depth + 1, 0, rng.randint(0, 1), names)
            self.line(depth + 1, rng.choice(["break", "continue", "continue", "break", "return"] if inLoop > 0 else ["return"]))
        elif kind == "if":
            self.line(depth, f"if {self.condition(names)}:")
            self.block(depth + 1, inLoop, rng.randint(1, 3), names)
            if rng.random() < 0.5:
                self.line(depth, "else:")
                self.block(depth + 1, inLoop, rng.randint(1, 2), names)
        elif kind == "for":
            self.loops += 1
            name = f"i{self.loops}"
            bounds = rng.choice(["3", "5", f"1, {rng.choice(['n', '6'])}", "0, 8, 3", f"{rng.choice(self.names)} % 4, 5"])
            self.line(depth, f"for {name} in pl.range({bounds}):")
            self.block(depth + 1, 1, rng.randint(1, 4), [*names, name])
        else:
            self.loops += 1
            name = f"w{self.loops}"
            self.line(depth, f"{name} = {rng.choice(['0', f'{rng.choice(self.names)} % 3'])}")
            self.line(depth, f"while {name} {rng.choice(['<', '<='])} {rng.randint(1, 5)}:")
            # Whoever continues would never count on.
            self.block(depth + 1, 0, rng.randint(1, 3), [*names, name])
            if rng.random() < 0.3:
                self.line(depth + 1, f"if {self.condition([*names, name])}:")
                self.line(depth + 2, rng.choice(["break", "return"]))
            self.line(depth + 1, f"{name} += {rng.randint(1, 2)}")

    def expected(self, x):
        """The 16 numbers and the places of z, as Python computes them; x holds one number a place."""
        tile = lambda *_, **__: types.SimpleNamespace(value=0.0)  # noqa: E731
        z, out = [0.0] * PLACES, [0] * 16
        number = lambda one: one.value if hasattr(one, "value") else one  # noqa: E731

        def into(run):
            def apply(target, lhs, rhs):
                target.value = run(number(lhs), number(rhs))

            return apply

        def load(target, source, offsets):
            target.value = source[offsets[0] // ROWS]

        def store(target, source, offsets):
            target[offsets[0] // ROWS] = source.value

        pl = types.SimpleNamespace(
            make_tile=tile, range=range, struct=lambda _, **fields: types.SimpleNamespace(**fields),
            struct_array=lambda count, _, **fields: [types.SimpleNamespace(**copy.deepcopy(fields)) for _ in range(count)], min=min, max=max, load=load, store=store, add=into(lambda p, q: p + q),
            mul=into(lambda p, q: p * q), minimum=into(min))
        body = self.text[self.text.index("def pick"):].replace("@pl.jit\n", "")
        start = body.index("def kern(")
        end = body.index("    with pl.section_vector():\n")
        body = body[:start] + "def kern(x, n, flag, out, z):\n    t = pl.make_tile()\n    u = pl.make_tile()\n    if True:\n" + body[
            end + len("    with pl.section_vector():\n"):]
        scope = {"pl": pl}
        exec(body, scope)  # pylint: disable=exec-used
        scope["kern"](x, self.number, bool(self.flag), out, z)
        return [(one + 2**31) % 2**32 - 2**31 for one in out], z
