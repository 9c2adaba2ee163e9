#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `placid check` with a small model of the two offset proofs on random offset expressions.

Each kernel loads one NZ window at a random offset; the model says accepted, misaligned or of unknown sign. Both ways
matter: an offset that should be refused would address a wrong fractal, a refused provable one is a false alarm.
The same seed gives the same programs. Ends with `N agreed, M differ`; exits 0 when none differ.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b, "%": lambda a, b: a % b, "min": min, "max": max}
#: Element counts: mostly multiples of a fractal, so that about a quarter of the offsets is accepted.
CONSTANTS = [0, 32, 64, 96, 128, 256, 512, 2, 3, 8, 16, 24, -32]
NAMES = {"block": "lane", "blocks": "num", "parameter": "s"}


def isMultiple(e, factor):
    """`e` is provably a multiple of `factor`."""
    if isinstance(e, int):
        return e % factor == 0
    kind, *args = e
    if kind == "*":
        return any(isMultiple(a, factor) for a in args)
    return kind in ("+", "-", "min", "max", "loop") and all(isMultiple(a, factor) for a in args)


def isNonNegative(e):
    """`e` is provably not negative."""
    if isinstance(e, int):
        return e >= 0
    kind, *args = e
    if kind in ("+", "*", "min", "loop"):
        return all(isNonNegative(a) for a in args)
    if kind == "max":
        return any(isNonNegative(a) for a in args)
    if kind in ("//", "%"):
        return isinstance(args[1], int) and args[1] > 0 and isNonNegative(args[0])
    return kind in ("block", "blocks")


def fold(e):
    """What Python itself computes: a tree of constants is one constant."""
    if isinstance(e, int) or e[0] in NAMES:
        return e
    args = [fold(a) for a in e[1:]]
    if e[0] in OPERATORS and all(isinstance(a, int) for a in args):
        return OPERATORS[e[0]](*args)
    return (e[0], *args)


def randomOffset(rng, depth, constants=True):
    if depth == 0 or rng.random() < 0.25:
        if constants and rng.random() < 0.4:
            return rng.choice(CONSTANTS)
        start = rng.choice([0, 32, 64, 8, ("*", ("block",), rng.choice([16, 32, 8]))])
        return rng.choice([("block",), ("block",), ("blocks",), ("parameter",), ("loop", start, rng.choice([32, 64, 96, 8]))])
    operator = rng.choice(["+", "*", "*", "*", "*", "*", "+", "-", "//", "%", "min", "max"])
    left = randomOffset(rng, depth - 1, False)
    if operator in ("//", "%"):
        return (operator, left, rng.choice([1, 2, 3, 4, -2]))
    pair = [left, randomOffset(rng, depth - 1)]
    rng.shuffle(pair)
    return (operator, *pair)


class Kernel:
    """The text of one kernel around an offset; sub-expressions are sometimes given names."""

    def __init__(self, rng, index, offset):
        self.rng, self.prelude, self.indent, self.count = rng, [], "        ", 0
        spelled = self.spell(offset)
        rows = index % 2 == 0
        self.factor = 16 if rows else 32
        load = f"w, [{spelled}, 0], [64, 32]" if rows else f"v, [0, {spelled}], [64, 64]"
        self.text = f"""
    @pl.function(type=pl.FunctionType.InCore)
    def k{index}(
        self, w: pl.Tensor[[1048576, 64], pl.INT8, pl.NZ], v: pl.Tensor[[64, 1048576], pl.INT8, pl.NZ], s: pl.Scalar[pl.INDEX],
        o: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        num = pl.tile.get_block_num()
""" + "".join(self.prelude) + f"{self.indent}b = pl.load({load}, target_memory=pl.Mem.Mat)\n        return o\n"

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def spell(self, e):
        if isinstance(e, int):
            return str(e)
        if e[0] in NAMES:
            return NAMES[e[0]]
        left, right = self.spell(e[1]), self.spell(e[2])
        if e[0] == "loop":
            variable = self.name()
            self.prelude.append(f"{self.indent}for {variable} in pl.range({left}, 100000, {right}):\n")
            self.indent += "    "
            return variable
        text = f"pl.{e[0]}({left}, {right})" if e[0] in ("min", "max") else f"({left} {e[0]} {right})"
        if self.rng.random() < 0.4:
            bound = self.name()
            self.prelude.append(f"{self.indent}{bound} = {text}\n")
            return bound
        return text


def expected(offset, factor):
    offset = fold(offset)
    if not isMultiple(offset, factor):
        return ["nz-offset-align"]
    return [] if isNonNegative(offset) else ["nz-offset-sign"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--placid", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=600)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    offsets = [randomOffset(rng, rng.randint(1, 4), False) for _ in range(arguments.kernels)]
    kernels = [Kernel(rng, i, e) for i, e in enumerate(offsets)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "offsets.py"
        path.write_text("import pypto.language as pl\n\n\n@pl.program\nclass Offsets:" + "".join(k.text for k in kernels), encoding="utf-8")
        done = subprocess.run([arguments.placid, "check", "--format", "json", "--no-daemon", str(path)], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode not in (0, 1):
            print(f"check exited {done.returncode}: {done.stderr[-300:]}")
            return 1
        got = {}
        for line in map(json.loads, done.stdout.splitlines()):
            if "summary" not in line:
                if line["slug"] != "loop-bounds":  # where the windows end is not what is asked here
                    got.setdefault(line["kernel"], []).append(line["slug"])
    differ = accepted = 0
    for index, (offset, kernel) in enumerate(zip(offsets, kernels)):
        want, have = expected(offset, kernel.factor), got.get(f"Offsets.k{index}", [])
        accepted += not want
        if want != have:
            differ += 1
            print(f"seed {arguments.seed}, kernel k{index}, factor {kernel.factor}: {offset} should give {want or 'nothing'}, gives {have or 'nothing'}")
    if accepted * 20 < len(kernels):
        print(f"only {accepted} offsets are provable: the test has lost its point")
        return 1
    print(f"{len(kernels) - differ} agreed, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
