#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels of pypto_pro for both cores: what `placid run` makes of them against the same sums in plain Python.

    pro_cores.py --placid build/release/bin/placid [--seeds N] [--first S] [--keep DIR]

The cores hand numbers on through global memory, from an accumulator into UB (whole to one vector core, or half to each), and from
UB into L1; in loops, through one buffer or through two, back and forth. They wait for one another by flags, and every third
program is run once more with one wait less: that has to be a fault, or numbers that depend on nothing else, never
other ones. Where there is a `ptoas` (PTOAS_ROOT or PATH), it has to take every PTO IR. Ends with `N kernels agree` or the
first that does not.
"""
import argparse
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "toolchain"))
import assemble  # noqa: E402
from pro_programs import CODES, HEAD, Program, assembled, packed, run  # noqa: E402

FLAG = "pl.system.{}_cross_core(pipe=pl.PipeType.{}, event_id={})"


def product(a, b):
    return [[sum(p * q for p, q in zip(row, column)) for column in zip(*b)] for row in a]


def plus(a, b):
    return [[p + q for p, q in zip(one, two)] for one, two in zip(a, b)]


class Cores(Program):
    """`body` is code outside of sections, `cube` and `vector` the two sections."""

    def __init__(self, seed):
        super().__init__(5 * seed)  # its random numbers; what it made of them is made anew
        self.parameters, self.body, self.mutex = [], [], 0
        self.inputs, self.numbers, self.blocks = {}, {}, 1
        self.cubes, self.vectors = [], []
        (self.through_memory, self.to_lanes, self.to_one, self.from_lanes, self.both_ways, self.ragged_rows)[seed % 6]()
        head = HEAD + "".join(f"    {one},\n" for one in self.parameters) + "):\n" + "".join(f"    {line}\n" for line in self.body)
        sections = [("cube", self.cubes), ("vector", self.vectors)]
        if self.rng.random() < 0.5:
            sections.reverse()
        self.sections, self.head = sections, head
        self.text = self.render()

    def render(self, without=None):
        """The text, or that of a program that lacks line `without` of all those that wait."""
        out, waits = self.head, 0
        for name, lines in self.sections:
            out += f"    with pl.section_{name}():\n"
            for line in lines:
                isWait = "wait_cross_core" in line
                dropped = isWait and waits == without
                waits += isWait
                out += "        " + (line[: len(line) - len(line.lstrip())] + "pass" if dropped else line) + "\n"
        self.waits = waits
        return out

    def flag(self, lines, verb, pipe, event, indent=0):
        lines.append(" " * indent + FLAG.format(verb, pipe, event))

    def operands(self, m, k, n, kind="FP16"):
        a, b = self.tensor("a", [m, k], kind), self.tensor("b", [k, n], kind)
        for name, shape, memory, address in (("a_l1", [m, k], "Mat", 0), ("b_l1", [k, n], "Mat", 0x10000), ("left", [m, k], "Left", 0),
                                             ("right", [k, n], "Right", 0), ("acc", [m, n], "Acc", 0)):  # fmt: skip
            self.tile(name, shape, "FP32" if memory == "Acc" else kind, memory, address)
        self.cubes += ["pl.load(b_l1.current(), b, [0, 0])", "pl.move(right.current(), b_l1.current())"]
        return a, b

    def multiply(self, at="[0, 0]", indent=0):
        lines = [f"pl.load(a_l1.current(), a, {at})", "pl.move(left.current(), a_l1.current())",
                 "pl.matmul(acc.current(), left.current(), right.current())"]  # fmt: skip
        self.cubes += [" " * indent + line for line in lines]

    def tensorOfRounds(self, name, rounds, shape, dtype="FP32", data=True):
        return self.tensor(name, [rounds * shape[0], shape[1]], dtype, data=data)

    def through_memory(self):
        rng = self.rng
        rounds, m, k, n = rng.randint(1, 4), 16 * rng.randint(1, 3), 16 * rng.randint(1, 3), 16 * rng.randint(1, 3)
        self.tensor("a", [rounds * m, k], "FP16")
        a = self.inputs.pop("a")
        self.parameters.pop()
        _, b = self.operands(m, k, n)
        self.inputs["a"] = a
        self.parameters[0] = f"a: pl.Tensor[[{rounds * m}, {k}], pl.DT_FP16]"
        x = self.tensorOfRounds("x", rounds, [m, n])
        self.tensor("work", [rounds * m, n], "FP32")
        self.tensor("out", [rounds * m, n], "FP32", data=False)
        event, half = rng.randint(0, 15), m // 2
        self.tile("p", [half, n], "FP32", "Vec", 0)
        self.tile("q", [half, n], "FP32", "Vec", 0x8000)
        self.cubes.append(f"for i in pl.range({rounds}):")
        self.multiply(f"[i * {m}, 0]", 4)
        self.cubes.append(f"    pl.store(work, acc.current(), [i * {m}, 0])")
        self.flag(self.cubes, "set", "FIX", event, 4)
        self.vectors += [f"for i in pl.range({rounds}):", f"    at = i * {m} + pl.get_subblock_idx() * {half}"]
        self.flag(self.vectors, "wait", "MTE2", event, 4)
        # The same bytes under another name, and a row that is a column.
        self.tile("again", [half, n], "FP32", "Vec", 0x8000)
        self.tile("line", [half, 1], "FP32", "Vec", 0x10000, ", layout=pl.DN")
        self.tile("row", [1, half], "FP32", "Vec", 0x10000)
        self.vectors += ["    pl.load(p.current(), work, [at, 0])", "    pl.load(q.current(), x, [at, 0])",
                         "    pl.add(q.current(), p.current(), q.current())"]  # fmt: skip
        self.expected = plus(product(a[1], b), x)
        if rng.random() < 0.5 and half % 8 == 0:
            self.vectors += ["    pl.maximum(line.current(), q.current(), p.current(), dim=0)", "    pl.mul(row.current(), row.current(), 2.0)",
                             "    pl.expand_sub(again.current(), again.current(), line.current())"]  # fmt: skip
            self.expected = [[v - 2 * max(line) for v in line] for line in self.expected]
        self.vectors.append(f"    pl.store(out, {rng.choice(['again', 'again', 'q'])}.current(), [at, 0])")

    def handed(self, mode, slots):
        """Rounds of products that go to UB, and come back from there as sums."""
        rng = self.rng
        rounds, m, k, n = rng.randint(1, 5), 16 * rng.randint(1, 3), 16 * rng.randint(1, 3), 32 * rng.randint(1, 2)
        _, b = self.operands(m, k, n)
        self.parameters[0] = f"a: pl.Tensor[[{rounds * m}, {k}], pl.DT_FP16]"
        a = [[rng.randint(-3, 3) for _ in range(k)] for _ in range(rounds * m)]
        self.inputs["a"] = ("FP16", a)
        x = self.tensorOfRounds("x", rounds, [m, n])
        self.tensor("out", [rounds * m, n], "FP32", data=False)
        part = {"DualModeSplitM": [m // 2, n], "DualModeSplitN": [m, n // 2]}.get(mode, [m, n])
        group = f"addrs=[{', '.join(hex(0x8000 * s) for s in range(slots))}], mutex_ids=[{', '.join(str(20 + s) for s in range(slots))}]"
        self.body.append(f"given = pl.make_tile_group(type=pl.TileType(shape={part}, dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec), {group})")
        self.tile("own", part, "FP32", "Vec", 0x20000)
        first = rng.choice(["next", "index"]) if slots > 1 else "current"
        slot = {"next": "given.next()", "index": f"given[i % {slots}]", "current": "given.current()"}[first]
        relu = rng.random() < 0.3
        options = f", acc_to_vec_mode=pl.AccToVecMode.{mode}" if mode != "SingleModeVec0" or rng.random() < 0.5 else ""
        options += ", relu_pre_mode=pl.ReluPreMode.NormalRelu" if relu else ""
        self.cubes.append(f"for i in pl.range({rounds}):")
        self.cubes.append(f"    there = {slot}")
        self.multiply(f"[i * {m}, 0]", 4)
        self.flag(self.cubes, "wait", "FIX", 1, 4)
        self.cubes.append(f"    pl.move(there, acc.current(){options})")
        self.flag(self.cubes, "set", "FIX", 0, 4)
        for _ in range(slots):
            self.flag(self.vectors, "set", rng.choice(["MTE3", "V"]), 1)
        self.vectors.append(f"for i in pl.range({rounds}):")
        self.vectors.append(f"    there = {slot}")
        lane = "pl.get_subblock_idx()"
        at = {"DualModeSplitM": f"[i * {m} + {lane} * {m // 2}, 0]", "DualModeSplitN": f"[i * {m}, {lane} * {n // 2}]"}.get(mode, f"[i * {m}, 0]")
        self.flag(self.vectors, "wait", rng.choice(["V", "MTE2"]), 0, 4)
        work = [f"pl.load(own.current(), x, {at})", "pl.add(own.current(), there, own.current())", f"pl.store(out, own.current(), {at})"]
        one = {"SingleModeVec0": 0, "SingleModeVec1": 1}.get(mode)
        if one is not None:
            self.vectors.append(f"    if {lane} == {one}:")
        self.vectors += [("        " if one is not None else "    ") + line for line in work]
        self.flag(self.vectors, "set", "MTE3", 1, 4)
        sums = product(a, b)
        self.expected = plus([[max(v, 0) if relu else v for v in row] for row in sums], x)

    def to_lanes(self):
        self.handed(self.rng.choice(["DualModeSplitM", "DualModeSplitN"]), self.rng.randint(1, 3))

    def to_one(self):
        self.handed(self.rng.choice(["SingleModeVec0", "SingleModeVec1"]), self.rng.randint(1, 2))

    def fromUb(self, m, k, kind):
        """Vector code that makes x + y and puts it into `l1`, half by each vector core."""
        byRows = self.rng.random() < 0.5 and m % 32 == 0 or k % 32 != 0
        part = [m // 2, k] if byRows else [m, k // 2]
        at = f"[pl.get_subblock_idx() * {part[0]}, 0]" if byRows else f"[0, pl.get_subblock_idx() * {part[1]}]"
        x, y = self.tensor("x", [m, k], kind), self.tensor("y", [m, k], kind)
        for name, address in (("p", 0), ("q", 0x8000), ("s", 0x10000)):
            self.tile(name, part, kind, "Vec", address)
        self.tile("nz", part, kind, "Vec", 0x18000, ", layout=pl.NZ")
        self.tile("l1", [m, k], kind, "Mat", 0x20000)
        self.vectors += [f"pl.load(p.current(), x, {at})", f"pl.load(q.current(), y, {at})", "pl.add(s.current(), p.current(), q.current())",
                         "pl.move(nz.current(), s.current())", f"pl.insert(l1.current(), nz.current(), {at})"]  # fmt: skip
        return plus(x, y)

    def from_lanes(self):
        rng = self.rng
        kind = rng.choice(["FP16", "FP32"])
        m, k, n = 32 * rng.randint(1, 2), 32 * rng.randint(1, 2), 16 * rng.randint(1, 3)
        sums = self.fromUb(m, k, kind)
        b = self.tensor("b", [k, n], kind)
        self.tensor("out", [m, n], "FP32", data=False)
        for name, shape, memory, address in (("b_l1", [k, n], "Mat", 0), ("left", [m, k], "Left", 0), ("right", [k, n], "Right", 0),
                                             ("acc", [m, n], "Acc", 0)):  # fmt: skip
            self.tile(name, shape, "FP32" if memory == "Acc" else kind, memory, address)
        event = rng.randint(0, 15)
        self.flag(self.vectors, "set", "MTE3", event)
        self.cubes += ["pl.load(b_l1.current(), b, [0, 0])", "pl.move(right.current(), b_l1.current())"]
        self.flag(self.cubes, "wait", "MTE1", event)
        self.cubes += ["pl.move(left.current(), l1.current())", "pl.matmul(acc.current(), left.current(), right.current())",
                       "pl.store(out, acc.current(), [0, 0])"]  # fmt: skip
        self.expected = product(sums, b)

    def both_ways(self):
        self.from_lanes()
        m, n = len(self.expected), len(self.expected[0])
        name, dtype, shape = self.output
        self.tile("back", [m // 2, n], "FP32", "Vec", 0x24000)
        self.tile("z", [m // 2, n], "FP32", "Vec", 0x2C000)
        self.cubes[-1] = "pl.move(back.current(), acc.current(), acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)"
        event = "1 if pl.get_block_idx() < 0 else 2"
        self.flag(self.cubes, "set", "FIX", 2)
        self.flag(self.vectors, "wait", "V", self.rng.choice(["2", event]))
        self.vectors += ["pl.mul(z.current(), back.current(), 2.0)", f"pl.store(out, z.current(), [pl.get_subblock_idx() * {m // 2}, 0])"]
        self.output = (name, dtype, shape)
        self.expected = [[2 * v for v in row] for row in self.expected]

    def ragged_rows(self):
        rng = self.rng
        step, k, n = 32 * rng.randint(1, 2), 16 * rng.randint(1, 2), 32
        total = rng.randint(1, 3 * step)
        a, b = self.tensor("a", [total, k], "FP16", declared=f"[pl.DYNAMIC, {k}]"), self.tensor("b", [k, n], "FP16")
        self.tensor("out", [total, n], "FP32", data=False, declared=f"[pl.DYNAMIC, {n}]")
        self.parameters.append("total: pl.DT_INT32")
        self.numbers = {"a_0": total, "out_0": total, "total": total}
        part = ", valid_shape=[-1, -1]"
        for name, shape, memory, address, extra in (("a_l1", [step, k], "Mat", 0, part), ("b_l1", [k, n], "Mat", 0x10000, ""),
                                                    ("left", [step, k], "Left", 0, part), ("right", [k, n], "Right", 0, ""),
                                                    ("acc", [step, n], "Acc", 0, part), ("there", [step // 2, n], "Vec", 0, part)):  # fmt: skip
            self.tile(name, shape, "FP32" if memory in ("Acc", "Vec") else "FP16", memory, address, extra)
        self.cubes += ["pl.load(b_l1.current(), b, [0, 0])", "pl.move(right.current(), b_l1.current())", f"for i in pl.range(0, total, {step}):",
                       "    a_now = a_l1.current()", "    l_now = left.current()", "    c_now = acc.current()",
                       f"    rows = pl.min(total - i, {step})", f"    pl.set_validshape(a_now, [rows, {k}])", f"    pl.set_validshape(l_now, [rows, {k}])",
                       f"    pl.set_validshape(c_now, [rows, {n}])", "    pl.load(a_now, a, [i, 0])", "    pl.move(l_now, a_now)",
                       "    pl.matmul(c_now, l_now, right.current())"]  # fmt: skip
        self.flag(self.cubes, "wait", "FIX", 1, 4)
        self.cubes.append("    pl.move(there.current(), c_now, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)")
        self.flag(self.cubes, "set", "FIX", 0, 4)
        self.flag(self.vectors, "set", "MTE3", 1)
        self.vectors += [f"for i in pl.range(0, total, {step}):", f"    rows = pl.min(total - i, {step})", "    first = (rows + 1) // 2",
                         "    now = there.current()"]  # fmt: skip
        self.flag(self.vectors, "wait", "MTE3", 0, 4)
        self.vectors += ["    if pl.get_subblock_idx() == 0:", f"        pl.set_validshape(now, [first, {n}])", "        pl.store(out, now, [i, 0])",
                         "    else:", "        if rows > 1:", f"            pl.set_validshape(now, [rows - first, {n}])",
                         "            pl.store(out, now, [i + first, 0])"]  # fmt: skip
        self.flag(self.vectors, "set", "MTE3", 1, 4)
        self.expected = product(a, b)


def compute(options, program, source, folder, seed):
    """The exit status and what was said, or the numbers."""
    command = [options.placid, "run", "--no-daemon", "--arch", "a5", "--kernel", "kern", "--out", str(folder)]
    for name, (dtype, rows) in program.inputs.items():
        (folder / f"{name}.in").write_bytes(packed(dtype, rows))
        command += ["--in", f"{name}={folder / name}.in"]
    for name, number in program.numbers.items():
        command += ["--in", f"{name}={number}"]
    name, dtype, shape = program.output
    (folder / f"{name}.bin").unlink(missing_ok=True)
    status, said = run([*command, str(source)])
    if status != 0:
        return status, said, None
    return 0, "", list(struct.unpack(f"<{shape[0] * shape[1]}{CODES[dtype]}", (folder / f"{name}.bin").read_bytes()))


def judge(options, seed, folder):
    """What is wrong, or nothing; and whether a wait was missed."""
    program = Cores(seed)
    source = folder / f"cores_{seed}.py"
    source.write_text(program.text, encoding="utf-8")
    status, said, found = compute(options, program, source, folder, seed)
    if status != 0:
        return f"seed {seed}: exit {status}: {said[:1200]}\n{program.text}", False
    wanted = [float(value) for row in program.expected for value in row]
    columns = program.output[2][1]
    for i, (one, other) in enumerate(zip(found, wanted)):
        if one != other:
            return f"seed {seed}: element [{i // columns}, {i % columns}] is {one}, not {other}\n{program.text}", False
    if wrong := assembled(options, source, folder, f"seed {seed}"):
        return wrong, False
    missed = False
    if seed % 3 == 0 or options.all_waits:
        for without in range(program.waits):
            source.write_text(program.render(without), encoding="utf-8")
            status, said, found = compute(options, program, source, folder, seed)
            if status == 0 and found != wanted:
                return f"seed {seed}: without wait {without} other numbers, and no fault\n{program.render(without)}", False
            missed |= status != 0
    return None, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--seeds", type=int, default=18)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--all-waits", action="store_true", help="leave out a wait of every program, not of every third")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    options.ptoas = assemble.find()
    options.extra = ["--disable-infer-layout"] if options.ptoas and assemble.version(options.ptoas) <= (0, 60) else []
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(options.first, options.first + options.seeds):
            wrong, one = judge(options, seed, folder)
            missed += one
            if wrong:
                print(wrong)
                return 1
    if options.seeds >= 12 and not missed:
        print("no wait was missed where one was left out")
        return 1
    print(f"{options.seeds} kernels agree, in {missed} a missing wait is a fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
