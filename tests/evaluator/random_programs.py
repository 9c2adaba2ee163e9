#!/usr/bin/env python3
"""Random programs in the Python that configuration code uses, evaluated by `placid-eval` and by this interpreter: every
module-level value must be the same, or placid must say that it does not know. Prints how many values were compared, how
many placid did not know, and each difference; ends with 1 when there is a difference or too little was compared.
"""

import argparse
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

MOST_BYTES = 1 << 30

PRELUDE = """\
import functools
import math
import operator
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field, replace, asdict
from enum import Enum, IntEnum, auto
from typing import NamedTuple


@dataclass(frozen=True)
class Config:
    rows: int = 64
    cols: int = 32
    ratio: float = 0.5
    name: str = "base"

    @property
    def size(self):
        return self.rows * self.cols

    def tiles(self, tile=16):
        return (self.rows + tile - 1) // tile


@dataclass
class Base:
    level: int = 2


@dataclass
class Deep(Base):
    parts: list = field(default_factory=list)
    extra: int = 7

    def __post_init__(self):
        self.parts.append(self.extra)


class Pair(NamedTuple):
    left: int
    right: int = 3


class Mode(IntEnum):
    SLOW = 1
    FAST = 4


def clamp(value, low=0, high=100):
    if value < low:
        return low
    if value > high:
        return high
    return value


def total(*values, scale=1, **more):
    out = 0
    for value in values:
        out += value * scale
    for key in sorted(more):
        out += more[key]
    return out


def collatz(n):
    steps = 0
    while n != 1 and steps < 50:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def adder(by):
    return lambda value: value + by


Point = namedtuple("Point", "x y z", defaults=(9,))


class Color(Enum):
    RED = auto()
    BLUE = 12


def sorted_out(value):
    match value:
        case 0 | -1:
            return 1
        case bool():
            return 2
        case int(n) if n > 1000:
            return n % 97
        case int() | float():
            return 3
        case "a" | "":
            return 4
        case str() as word:
            return len(word)
        case []:
            return 5
        case [only]:
            return (only, 6)
        case [first, *middle, last] if first == last:
            return len(middle)
        case [first, _, *_]:
            return first
        case {"a": inner, **others}:
            return (inner, len(others))
        case {}:
            return 7
        case Point(x=0, y=y):
            return y
        case Pair(left, right=3):
            return left
        case Config(rows=rows, name="base"):
            return rows
        case Color.RED:
            return 8
        case None:
            return 9
    return 10


def counted(values):
    seen = defaultdict(int)
    groups = defaultdict(list)
    for value in values:
        seen[value % 3] += value
        groups[value % 2 == 0].append(value)
    return dict(seen), dict(groups)


def caught(value):
    try:
        if value % 2:
            raise ValueError(value, "odd")
        out = 100 // (value % 5)
    except ZeroDivisionError:
        return -1
    except (KeyError, ValueError) as error:
        return error.args[0] % 10
    else:
        out += 1
    finally:
        value = 0
    return out


"""


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.names = {"int": [], "float": [], "str": [], "list": [], "bool": [], "dict": []}

    def pick(self, *options):
        return self.rng.choice(options)

    def name(self, kind, otherwise):
        names = self.names[kind]
        return self.rng.choice(names) if names and self.rng.random() < 0.6 else otherwise()

    def int(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.name("int", lambda: str(rng.choice([0, 1, 2, 3, 5, 7, 16, 31, 64, 100, 255, 4096, -1, -3, -17,
                                                           10**9, 2**31, 2**63, -2**63, 10**20, 12345678901234567890])))
        i, d = self.int, depth - 1
        form = rng.randrange(30)
        if form >= 22:
            return self.library(form, d)
        if form < 6:
            return f"({i(d)} {self.pick('+', '-', '*', '//', '%', '&', '|', '^')} {i(d)})"
        if form == 6:
            return f"({i(d)} {self.pick('<<', '>>')} ({i(d)} % 40))"
        if form == 7:
            return f"({i(d)} ** ({i(d)} % 5))"
        if form == 8:
            return f"{self.pick('-', '~', '+')}({i(d)})"
        if form == 9:
            return f"{self.pick('min', 'max')}({i(d)}, {i(d)}, {i(d)})"
        if form == 10:
            return f"abs({i(d)})"
        if form == 11:
            return f"({i(d)} if {self.bool(d)} else {i(d)})"
        if form == 12:
            return f"len({self.pick(self.str(d), self.list(d), self.dict(d))})"
        if form == 13:
            return f"sum({self.list(d)})"
        if form == 14:
            return f"int({self.pick(self.float(d), self.bool(d), 'str(' + i(d) + ')')})"
        if form == 15:
            return f"{self.pick('clamp', 'collatz', 'adder(3)')}({i(d)})"
        if form == 16:
            return f"total({i(d)}, {i(d)}, scale={i(d)}, a={i(d)})"
        if form == 17:
            return f"{self.list(d)}[{i(0)}]"
        if form == 18:
            return f"round({self.float(d)})"
        if form == 19:
            return self.pick(f"Config(rows={i(d)}).size", f"replace(Config(), cols={i(d)}).tiles({i(0)})",
                             f"Pair({i(d)}).right", f"Deep(extra={i(d)}).parts[-1]", "Mode.FAST.value", "Mode(1) + 1",
                             f"asdict(Config({i(d)}))['rows']")
        if form == 20:
            return f"{self.pick('math.gcd', 'divmod')}({i(d)}, {i(d)})" + ("" if rng.random() < 0 else "")
        return f"{self.pick('math.floor', 'math.ceil', 'math.trunc')}({self.float(d)})"

    def library(self, form, depth):
        i = self.int
        point = f"Point({i(depth)}, {i(depth)})"
        if form == 22:
            return self.pick(f"{point}.z", f"{point}[1]", f"{point}._replace(x={i(0)}).x", f"len({point})", f"sum({point})",
                             f"Point._make([1, {i(0)}, 3]).y", f"{point}._asdict()['y']")
        if form == 23:
            value = self.pick(i(depth), self.str(depth), self.list(depth), self.dict(depth), self.float(depth), self.bool(depth),
                              point, f"Pair({i(0)})", f"Config({i(0)})", "Color.RED", "Color.BLUE", "None", f"({i(0)}, {i(0)})")
            return f"len(repr(sorted_out({value})))"
        if form == 24:
            return f"counted({self.list(depth)})[0].get({i(0)} % 3, -5)"
        if form == 25:
            return self.pick("Color['BLUE'].value", f"Color({i(0)} % 3 + 1).value", "len(Color)", "[c.value for c in Color][1]")
        if form == 26:
            return f"caught({i(depth)})"
        if form == 27:
            op = self.pick("add", "mul", "sub", "and_", "xor")
            return self.pick(f"functools.reduce(operator.{op}, {self.list(depth)}, {i(0)})", f"operator.{op}({i(depth)}, {i(0)})",
                             f"operator.itemgetter(1)({point})")
        if form == 28:
            return self.pick(f"({i(depth)}).bit_length()", f"Counter({self.list(depth)})[{i(0)}]",
                             f"len(Counter({self.list(depth)}).most_common(2))", f"({i(depth)}).bit_count()", f"({i(0)}).real")
        return f"clamp({i(depth)}, high={i(0)})"

    def float(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.name("float", lambda: rng.choice(["0.5", "1.0", "-2.25", "3.14159", "1e10", "1e-7", "0.1", "2.5",
                                                          "1e300", "123456.789", "0.0"]))
        f, d = self.float, depth - 1
        form = rng.randrange(10)
        if form < 4:
            return f"({f(d)} {self.pick('+', '-', '*', '/', '//', '%')} {self.pick(f(d), self.int(d))})"
        if form == 4:
            return f"({self.int(d)} / {self.int(d)})"
        if form == 5:
            return f"float({self.int(d)})"
        if form == 6:
            return f"round({f(d)}, {rng.randrange(0, 6)})"
        if form == 7:
            return f"math.sqrt(abs({f(d)}))"
        if form == 8:
            return f"({f(d)} ** {self.pick('2', '3', '-1', '0.5')})"
        return f"{self.pick('min', 'max')}({f(d)}, {f(d)})"

    def bool(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.name("bool", lambda: self.pick("True", "False"))
        d = depth - 1
        form = rng.randrange(9)
        if form < 3:
            return f"({self.int(d)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.pick(self.int(d), self.float(d))})"
        if form == 3:
            return f"({self.int(d)} < {self.int(d)} <= {self.int(d)})"
        if form == 4:
            return f"({self.bool(d)} {self.pick('and', 'or')} {self.bool(d)})"
        if form == 5:
            return f"(not {self.pick(self.int(d), self.str(d), self.list(d))})"
        if form == 6:
            return f"({self.int(d)} {self.pick('in', 'not in')} {self.list(d)})"
        if form == 7:
            return f"({self.str(d)} {self.pick('==', '<', 'in')} {self.str(d)})"
        return f"isinstance({self.pick(self.int(d), self.float(d), self.str(d))}, {self.pick('int', 'float', 'str', '(int, str)')})"

    def str(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.name("str", lambda: rng.choice(["'a'", "'Tile 16'", "''", "'x_y'", '"it\'s"', "'-12'", "' pad '", "'a\\tb'"]))
        s, d = self.str, depth - 1
        form = rng.randrange(14)
        if form == 0:
            return f"({s(d)} + {s(d)})"
        if form == 1:
            return f"({s(d)} * ({self.int(0)} % 4))"
        if form == 2:
            return f"f\"{{{self.int(d)}}}-{{{self.float(d)}:.{rng.randrange(0, 5)}f}}\""
        if form == 3:
            spec = self.pick("d", "5d", "<6", ">8", "^7", "05d", "+d", ",", "x", "#x", "b", "_", "08b", "X", "o", "*>9")
            return f"format({self.int(d)}, {spec!r})"
        if form == 4:
            spec = self.pick(".2f", ".0f", "8.3f", "e", ".3e", "g", ".3g", "%", ".1%", "+.2f", ",.2f", "010.2f", "")
            return f"format({self.float(d)}, {spec!r})"
        if form == 5:
            return f"{s(d)}.{self.pick('upper', 'lower', 'strip', 'title', 'capitalize', 'lstrip')}()"
        if form == 6:
            return f"{self.pick('str', 'repr')}({self.pick(self.int(d), self.float(d), self.list(d), self.dict(d), s(d))})"
        if form == 7:
            return f"{s(d)}[{self.int(0)} % 3:]"
        if form == 8:
            return f"','.join(str(v) for v in {self.list(d)})"
        if form == 9:
            return f"{s(d)}.replace({s(0)}, {s(0)})"
        if form == 10:
            return f"'%d|%5.1f|%s' % ({self.int(d)}, {self.float(d)}, {s(d)})"
        if form == 11:
            return f"'{{}}:{{:>4}}'.format({self.int(d)}, {s(d)})"
        if form == 12:
            return f"str({self.pick('Config()', 'Pair(1)', 'Deep()', 'replace(Config(), name=' + s(0) + ')')})"
        return f"({s(d)} if {self.bool(d)} else {s(d)})"

    def list(self, depth):
        rng = self.rng
        if depth <= 0:
            return self.name("list", lambda: self.pick("[1, 2, 3]", "[]", "[5, -2, 9, 9]", "[16]", "list(range(4))"))
        l, d = self.list, depth - 1
        form = rng.randrange(12)
        if form == 0:
            return f"[{self.int(d)}, {self.int(d)}, {self.int(d)}]"
        if form == 1:
            return f"[v * {self.int(0)} for v in {l(d)}]"
        if form == 2:
            return f"[v for v in {l(d)} if v {self.pick('>', '<', '%')} {self.int(0)}]"
        if form == 3:
            return f"({l(d)} + {l(d)})"
        if form == 4:
            return f"{self.pick('sorted', 'list')}({l(d)})"
        if form == 5:
            return f"sorted({l(d)}, key=lambda v: -v, reverse={self.bool(0)})"
        if form == 6:
            return f"{l(d)}[{self.pick('1:', ':2', '::-1', '-2:', '::2', '1:-1')}]"
        if form == 7:
            return f"list(range({self.int(0)} % 7, {self.int(0)} % 30, {self.int(0)} % 4 + 1))"
        if form == 8:
            return f"[a * b for a, b in zip({l(d)}, {l(d)})]"
        if form == 9:
            return f"[i * 10 + v for i, v in enumerate({l(d)})]"
        if form == 10:
            return f"list(map(lambda v: v + {self.int(0)}, {l(d)}))"
        return f"list({self.dict(d)}.values())"

    def dict(self, depth):
        if depth <= 0:
            return self.name("dict", lambda: self.pick("{'a': 1}", "{}", "{'k': 4, 'm': 5}"))
        d = depth - 1
        return self.pick(f"{{'a': {self.int(d)}, {self.str(d)}: {self.int(d)}}}", f"{{str(v): v for v in {self.list(d)}}}",
                         f"{{**{self.dict(d)}, 'z': {self.int(d)}}}", f"dict(q={self.int(d)}, r={self.int(d)})")

    def statement(self, number):
        kind = self.pick("int", "int", "int", "float", "str", "bool", "list", "dict")
        name = f"{kind[0]}{number}"
        form = self.rng.randrange(14)
        expr = getattr(self, kind)(self.rng.randrange(1, 4))
        lines = [f"    {name} = {expr}"]
        if kind == "list" and form < 3:
            lines.append(f"    {name}.{self.pick('append(4)', 'extend([1, 2])', 'reverse()', 'insert(1, 8)', 'sort()')}")
        if kind == "int" and form < 3:
            lines = [f"    {name} = 0", f"    for k in {self.list(1)}:", f"        {name} {self.pick('+=', '-=', '^=')} k",
                     f"        if {name} > {self.int(0)}:", f"            {self.pick('break', 'continue')}"]
        if kind == "int" and 3 <= form < 6:
            lines = [f"    match {self.pick(self.int(1), self.list(1), self.dict(1), self.str(1))}:",
                     f"        case {self.pick('0', '-3', '7')} | {self.pick('1.5', 'None', 'True')}:", f"            {name} = 1",
                     f"        case {self.pick('int() as k', '[k, *_]', '[*_, k]', '[k]', '(k, _)')} if {self.bool(1)}:",
                     f"            {name} = k", '        case {"a": k}:' if form == 4 else "        case str(k):",
                     f"            {name} = {self.int(1)}", "        case _:", f"            {name} = {self.int(1)}"]
        if kind == "list" and form == 12:
            lines = [f"    {name} = [m for v in {self.list(1)} if (m := v * 2) > {self.int(0)}]",
                     f"    if (w := {self.int(1)}) > 3:", f"        {name}.append(w)"]
        if kind == "dict" and form == 13:
            lines = [f"    {name} = counted({self.list(1)})[{self.int(0)} % 2]"]
        if kind == "dict" and form < 4:
            lines.append(f"    {name}[{self.str(0)}] = {self.int(1)}")
        # What doubles with every statement would need all memory.
        limit = {"int": f"{name} % 1000003 if abs({name}) > 10 ** 60 else {name}", "str": f"{name}[:60]",
                 "list": f"{name}[:40]"}.get(kind)
        lines += [f"    {name} = {limit}"] if limit else []
        # After an exception the name has a value of its kind that tells which exception it was.
        size = "len(type(error).__name__)"
        instead = {"int": size, "float": f"float({size})", "str": "'raised ' + type(error).__name__", "list": f"[{size}]",
                   "dict": "{type(error).__name__: " + size + "}", "bool": f"{size} > 9"}[kind]
        text = "try:\n" + "\n".join(lines) + f"\nexcept Exception as error:\n    {name} = {instead}\n"
        self.names[kind].append(name)
        return name, text


def escaped(text):
    return text.replace("\n", "\\n").replace("\t", "\\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--placid-eval", required=True)
    parser.add_argument("--programs", type=int, default=120)
    parser.add_argument("--statements", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="print the program of the first difference")
    options = parser.parse_args()
    sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
    # A few programs grow a value without end. Python then raises MemoryError, which each statement answers for itself, and
    # placid, whose budget is smaller, does not know the value.
    unbounded = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, unbounded[1]))
    compared = unknown = different = 0
    with tempfile.TemporaryDirectory(prefix="placid-eval-") as folder:
        for index in range(options.programs):
            maker = Maker(random.Random(options.seed * 100003 + index))
            parts = [maker.statement(number) for number in range(options.statements)]
            text = PRELUDE + "".join(part for _, part in parts)
            namespace = {"__name__": "random_program"}
            module = type(sys)("random_program")
            sys.modules["random_program"] = module
            namespace = module.__dict__
            exec(compile(text, "random_program.py", "exec"), namespace)
            path = pathlib.Path(folder) / "random_program.py"
            path.write_text(text)
            done = subprocess.run(
                [options.placid_eval, path],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, unbounded),  # not for a sanitizer's sake
            )
            if done.returncode != 0:
                print(f"program {index}: placid-eval ended with {done.returncode}: {done.stderr.strip()}")
                different += 1
                continue
            seen = dict(line.split("\t", 1) for line in done.stdout.splitlines())
            for name, _ in parts:
                want = escaped(repr(namespace[name]))
                got = seen.get(name, "?\tnot there")
                if got.startswith("?\t"):
                    unknown += 1
                    if options.keep:
                        print(f"unknown {name}: {got[2:]}")
                elif got == want:
                    compared += 1
                else:
                    different += 1
                    if different <= 20:
                        source = next(part for other, part in parts if other == name)
                        print(f"program {index}, {name}: python {want[:200]} placid {got[:200]}\n{source}")
    print(f"{compared} values equal, {unknown} not known to placid, {different} different")
    wanted = options.programs * options.statements * 8 // 10
    return 1 if different or compared < wanted else 0


if __name__ == "__main__":
    sys.exit(main())
