#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random legal PL programs, each run by the oracle and by placid on the same data.

    generate.py --placid build/release/bin/placid [--seeds N] [--first S] [--keep DIR]

Every third program is for the vector unit (vector_programs.py), every sixth for both (mixed_programs.py), by turns for one vector
lane and divided between two, every sixth of a kind of its own (wide_programs.py). The others are a
matrix product, or several, with random element types, shapes, batch axes, windows, layouts of each operand,
offsets (constant, by block, by loop), accumulation over a loop, and stores to ND or NZ in whole or in column chunks. It is
legal by construction, so a refusal is a failure as well; refusals for lack of on-chip memory are counted apart. Many
programs go into one file, so that a process serves many seeds. Ends with `N programs agree, M failed, K refused`.
"""
import argparse
import concurrent.futures
import pathlib
import random
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import harness  # noqa: E402
import mixed_programs  # noqa: E402
import pl_oracle as oracle  # noqa: E402
import run_truth  # noqa: E402
import vector_programs  # noqa: E402
import wide_programs  # noqa: E402

HEAD = "import pypto.language as pl\n"
TYPES = {"FP16": ("FP32", 16), "BF16": ("FP32", 16), "INT8": ("INT32", 32), "FP32": ("FP32", 8)}
#: A refusal that only says that a tile does not fit.
CAPACITY = ("PL4002", "PL4001", "nz-l0c", "PL3120")


class Source:
    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.parameters, self.body = [], []
        self.scope = None  #: The scope of the body but its return, in a function that is none of a core itself.
        self.kind, self.prelude = "InCore", []  #: Of the function; what stands ahead of the class.
        self.dtype = rng.choice(list(TYPES))
        self.acc, self.c0 = TYPES[self.dtype]

    def line(self, depth, text):
        self.body.append("    " * (depth + 2) + text)

    def tensor(self, name, shape, dtype, layout="ND", out=False):
        layout = ", pl.NZ" if layout == "NZ" else ""
        spec = f"pl.Tensor[[{', '.join(map(str, shape))}], pl.{dtype}{layout}]"
        self.parameters.append((name, f"pl.Out[{spec}]" if out else spec))


def steps(rng, unit, most, least=1):
    return unit * rng.randint(least, most)


def offsetTerm(rng, room, unit, variables):
    """(expression, largest value) of an offset: a multiple of `unit` in [0, room], of loop variables and constants."""
    choices = ["constant"]
    usable = [(name, top) for name, top in variables if top == 0 or room >= unit * top]
    if usable:
        choices += ["scaled", "scaled", "sum"]
    kind = rng.choice(choices)
    if kind == "constant" or room < unit:
        value = unit * rng.randint(0, room // unit)
        return str(value), value
    name, top = rng.choice(usable)
    factor = unit * rng.randint(1, max(1, room // unit // max(top, 1)))
    reach = factor * top
    text = rng.choice([f"{name} * {factor}", f"{factor} * {name}"])
    if kind == "sum":
        more = unit * rng.randint(0, (room - reach) // unit)
        if more:
            return rng.choice([f"{text} + {more}", f"{more} + {text}"]), reach + more
    return text, reach


def operand(src, name, rows, cols, variables, unitRows, unitCols, needNz=None):
    """Declares a tensor that holds a rows × cols window; returns (offsets, window) as text lists."""
    rng = src.rng
    nz = rng.random() < 0.6 if needNz is None else needNz
    rank = rng.choice([2, 2, 3, 3, 4])
    lead = [rng.randint(1, 4) for _ in range(rank - 2)]
    whole = [rows + unitRows * rng.randint(0, 6), cols + unitCols * rng.randint(0, 6)]
    src.tensor(name, lead + whole, src.dtype, "NZ" if nz else "ND")
    offsets = [offsetTerm(rng, extent - 1, 1, variables)[0] for extent in lead]
    # An ND window needs no alignment of ours; whole elements are enough.
    offsets.append(offsetTerm(rng, whole[0] - rows, unitRows if nz else 1, variables)[0])
    offsets.append(offsetTerm(rng, whole[1] - cols, unitCols if nz else unitCols, variables)[0])
    return offsets, [1] * len(lead) + [rows, cols]


def load(src, depth, name, tensor, offsets, window):
    """Writes the load; returns the name of the rank-2 tile."""
    rng = src.rng
    if rng.random() < 0.4:  # the offset under a name of its own
        at = rng.randrange(len(offsets))
        src.line(depth, f"{name}_at = {offsets[at]}")
        offsets = offsets[:at] + [f"{name}_at"] + offsets[at + 1 :]
    isNd = any(parameter == tensor and "NZ" not in spec for parameter, spec in src.parameters)
    if isNd and len(window) == 2 and rng.random() < 0.15:  # row by row
        rows, columns = window
        src.line(depth, f"{name} = pl.tile.create([{rows}, {columns}], dtype=pl.{src.dtype}, target_memory=pl.Mem.Mat)")
        src.line(depth, f"for {name}_row in pl.range({rows}):")
        place = f"[{name}_row, 0], [{offsets[0]} + {name}_row, {offsets[1]}], [1, {columns}]"
        src.line(depth + 1, f"{name} = pl.gather_row({name}, {tensor}, {place})")
        return name
    src.line(depth, f"{name} = pl.load({tensor}, [{', '.join(offsets)}], [{', '.join(map(str, window))}], target_memory=pl.Mem.Mat)")
    if len(window) > 2:
        src.line(depth, f"{name}_2d = pl.reshape({name}, [{window[-2]}, {window[-1]}])")
        return f"{name}_2d"
    return name


def program(seed):
    """The text of one kernel, and its class name."""
    rng = random.Random(f"program {seed}")
    src = Source(rng, f"Random{seed}")
    if seed % 3 == 2:
        vector_programs.program(src, offsetTerm)
        return frame(src)
    if seed % 6 == 4:
        (mixed_programs.divided if seed % 12 == 10 else mixed_programs.program)(src)
        return frame(src)
    if seed % 6 == 3:
        wide_programs.program(src, TYPES)
        return frame(src)
    m, n = steps(rng, 16, 4), steps(rng, max(16, src.c0), 4)
    inner = steps(rng, max(16, src.c0), 4)
    nzOut = src.acc == "FP32" and rng.random() < 0.5
    variables, depth = [], 0
    if rng.random() < 0.3:
        src.line(0, "lane = pl.tile.get_block_idx()")
        variables.append(("lane", 3))
    loop = rng.random() < 0.6
    if loop:
        trips = rng.randint(1, 4)
        head = rng.choice(["pl.range({t})", "pl.range(0, {t})", "pl.range(0, {t}, 1)", "pl.pipeline(0, {t}, 1, stage=2)"])
        src.line(0, f"for i in {head.format(t=trips)}:")
        variables.append(("i", trips - 1))
        depth = 1
    transposed = rng.random() < 0.6
    left = operand(src, "x", m, inner, variables, 16, src.c0)
    rightShape = (n, inner) if transposed else (inner, n)
    right = operand(src, "w", *rightShape, variables, 16, src.c0)
    a = load(src, depth, "a", "x", *left)
    b = load(src, depth, "b", "w", *right)
    src.line(depth, f"acc = pl.matmul({a}, {f'pl.tile.transpose_view({b})' if transposed else b})")
    if rng.random() < 0.3:
        more = operand(src, "v", *rightShape, variables, 16, src.c0)
        d = load(src, depth, "d", "v", *more)
        src.line(depth, f"acc = pl.matmul_acc(acc, {a}, {f'pl.tile.transpose_view({d})' if transposed else d})")
    # The result: one window for every step of the loop and every block, so that each is seen.
    rank = rng.choice([2, 3, 4]) if nzOut else 2
    offsets, shape = [], []
    reach = {name: top + 1 for name, top in variables}
    places = rng.sample(list(reach), len(reach))
    lead = [1] * (rank - 2)
    leadText = ["0"] * (rank - 2)
    columns = "0"
    width = n
    rowsText, height = "0", m
    for name in places:
        if rank > 2 and rng.random() < 0.5:
            axis = rng.randrange(rank - 2)
            if lead[axis] == 1:
                lead[axis], leadText[axis] = reach[name], name
                continue
        if not nzOut and rowsText == "0" and rng.random() < 0.5:
            rowsText, height = f"{name} * {m}", m * reach[name]
            continue
        if columns == "0":
            columns, width = f"{name} * {n}", n * reach[name]
        else:
            columns, width = f"{columns} + {name} * {width}", width * reach[name]
    offsets, shape = leadText + [rowsText, columns], lead + [height, width]
    dtype = src.acc
    if not nzOut and src.acc == "FP32":
        dtype = rng.choice(["FP32", "FP32", "FP16", "BF16"])
    src.tensor("y", shape, dtype, "NZ" if nzOut else "ND", out=True)
    src.line(depth, f"y = pl.store(acc, [{', '.join(offsets)}], y)")
    src.line(0, "return y")
    rng.shuffle(src.parameters)
    return frame(src)


def frame(src):
    """The class around the body that was written."""
    result = next(spec for name, spec in src.parameters if name == "y")[len("pl.Out[") : -1]
    kind, body = src.kind, src.body
    if src.scope:
        kind, body = "Orchestration", [f"        with {src.scope}:"] + ["    " + line for line in src.body[:-1]] + src.body[-1:]
    lines = ["", "", *src.prelude, "@pl.program", f"class {src.name}:", f"    @pl.function(type=pl.FunctionType.{kind})", "    def kern(", "        self,"]
    lines += [f"        {name}: {spec}," for name, spec in src.parameters]
    lines += [f"    ) -> {result}:"] + body
    return "\n".join(lines) + "\n"


def batch(placid, interpret, first, size, keep):
    """Lines of outcome for `size` seeds."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        seeds = list(range(first, first + size))
        out = []
        path = folder / f"random_{first}.py"
        left = list(seeds)
        while left:
            path.write_text(HEAD + "".join(map(program, left)))
            try:
                harness.run([placid, "build", "--until", "pto", "--out", str(folder), str(path)], "build")
                break
            except harness.Mismatch as why:
                bad = [s for s in left if refused(placid, folder, s, out)]
                if not bad:
                    return [f"FAIL {first}: {why}"]
                left = [s for s in left if s not in bad]
        if left:
            module = oracle.loadProgram(path)
            known = oracle.entries(module)
            manifest = harness.manifestOf(folder)
            for entry in harness.entriesOf(manifest):
                kernels = [kernel for kernel in manifest["kernels"] if kernel["entry"] == entry]
                seed = int(entry.split(".")[0].removeprefix("Random"))
                out.append(one(interpret, folder, known, kernels[0], path) if len(kernels) == 1 else launched(placid, folder, seed, kernels))
        if keep:
            for line in out:
                if line.startswith("FAIL"):
                    seed = int("".join(c for c in line.split(":")[0] if c.isdigit()))
                    (pathlib.Path(keep) / f"random_{seed}.py").write_text(HEAD + program(seed))
        return out


def refused(placid, folder, seed, out):
    alone = folder / f"alone_{seed}.py"
    alone.write_text(HEAD + program(seed))
    try:
        harness.run([placid, "build", "--until", "pto", "--out", str(folder / "alone"), str(alone)], "build")
        return False
    except harness.Mismatch as why:
        text = str(why)
        kind = "refused" if any(code in text for code in CAPACITY) else "FAIL"
        out.append(f"{kind} {seed}: {text[:500]}")
        return True


def launched(placid, folder, seed, kernels):
    """A program of several kernels, launched in their order by `placid run`."""
    path, text = folder / f"alone_{seed}.py", HEAD + program(seed)
    path.write_text(text)
    (entry, (function, owner)), *_ = oracle.entries(oracle.loadProgram(path)).items()
    try:
        problem = harness.Problem(function, owner, f"data {seed}", text)
        problem.solve()
        problem.derive(kernels, text)
        results = folder / f"results_{seed}"
        harness.run([placid, "run", "--kernel", entry, *problem.writeInputs(folder), "--out", str(results), str(path)], "run")
        problem.compare(results)
    except (oracle.Unmodelled, harness.Mismatch) as why:
        return f"FAIL {seed}: {why}"
    return f"ok {seed}"


def one(interpret, folder, known, kernel, path):
    import mutate  # pylint: disable=import-outside-toplevel

    seed = kernel["entry"].split(".")[0].removeprefix("Random")
    function, owner = known[kernel["entry"]]
    text = program(int(seed))
    try:
        problem = harness.Problem(function, owner, f"data {seed}", text)
        problem.solve()
        arguments = mutate.argumentsFor(problem, kernel, folder)
        answer = harness.run([interpret, *arguments, str(folder / kernel["pto"])], "interpret").strip()
    except oracle.Unmodelled as why:
        return f"FAIL {seed}: the oracle has no {why}"
    except harness.Mismatch as why:
        return f"FAIL {seed}: {why}"
    return f"ok {seed}" if answer == "same" else f"FAIL {seed}: {answer}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--interpret", required=True)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="where programs that fail are written")
    options = parser.parse_args()
    starts = range(options.first, options.first + options.seeds, options.batch)
    lines = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=run_truth.confine) as pool:
        jobs = [
            pool.submit(batch, options.placid, options.interpret, s, min(options.batch, options.first + options.seeds - s), options.keep)
            for s in starts
        ]
        for job in jobs:
            lines += job.result()
    for line in lines:
        if not line.startswith("ok"):
            print(line)
    counts = {kind: sum(line.startswith(kind) for line in lines) for kind in ("ok", "FAIL", "refused")}
    print(f"{counts['ok']} programs agree, {counts['FAIL']} failed, {counts['refused']} refused for lack of memory")
    return 1 if counts["FAIL"] or not counts["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
