#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the truth test: any one offset, stride or extent of emitted PTO IR that is wrong must be noticed.

    mutate.py --placid build/release/bin/placid --interpret build/release/bin/placid-interpret [FILE…]

Every number that addresses memory is changed, one at a time: offsets and sizes of partition_view, shape and strides of
make_tensor_view, indices of textract, bounds of loops, divisors and other right operands of index arithmetic. The change
is another constant, or the old value plus 1 or plus 16. Of a kernel on large tensors some are run, spread over all. A mutant is caught when it faults or computes something else than the
oracle. What survives is listed; `equivalent()` says which survivors cannot matter and why.
"""
import argparse
import concurrent.futures
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import harness  # noqa: E402
import pl_oracle as oracle  # noqa: E402
import run_truth  # noqa: E402

VALUE = r"%[\w.#]+"
#: Of a kernel with a tensor of more elements than this, so many mutants are run, spread over all.
LARGE, FEW = 200_000, 16


def sites(line):
    """(what, start, end) of every operand on a line that addresses memory."""
    body = line.split(" loc(")[0]
    for name in ("offsets", "sizes", "shape", "strides"):
        found = re.search(rf"\b{name} = \[([^\]]*)\]", body)
        if found:
            for i, operand in enumerate(re.finditer(VALUE, found.group(1))):
                yield f"{name}[{i}]", found.start(1) + operand.start(), found.start(1) + operand.end()
    found = re.search(rf"pto\.textract ins\({VALUE}, ({VALUE}), ({VALUE})", body)
    if found:
        yield "index[0]", found.start(1), found.end(1)
        yield "index[1]", found.start(2), found.end(2)
    found = re.search(rf"scf\.for {VALUE} = ({VALUE}) to ({VALUE}) step ({VALUE})", body)
    if found:
        for i, what in enumerate(("lower", "upper", "step")):
            yield what, found.start(i + 1), found.end(i + 1)
    found = re.search(rf"arith\.(floordivsi|muli|addi|subi) {VALUE}, ({VALUE}) : index", body)
    if found:
        yield "divisor" if found.group(1) == "floordivsi" else "operand", found.start(2), found.end(2)


def constantsOf(lines):
    out = {}
    for line in lines:
        found = re.match(rf"\s*({VALUE}) = arith\.constant (-?\d+) : (\w+)", line)
        if found:
            out[found.group(1)] = (int(found.group(2)), found.group(3))
    return out


def variants(what, value):
    """Numbers that a wrong compiler could have written instead of a constant."""
    if what == "divisor":  # a neighbour gives the same quotients for small dividends
        return [value // 2, value * 2]
    near = {value + 1, value - 1, value * 2, value + 16}
    if value % 2 == 0 and value:
        near.add(value // 2)
    return sorted(v for v in near if v >= 0 and v != value)


def mutants(text):
    """(description, text) for every mutation."""
    lines = text.splitlines()
    constants = constantsOf(lines)
    first = next(i for i, line in enumerate(lines) if "func.func" in line) + 1
    for number, line in enumerate(lines):
        for what, start, end in sites(line):
            operand = line[start:end]
            value = constants.get(operand)
            if value is not None:
                for other in variants(what, value[0]):
                    changed = list(lines)
                    changed[number] = line[:start] + "%mutant" + line[end:]
                    changed.insert(first, f"    %mutant = arith.constant {other} : {value[1]}")
                    yield f"line {number + 1}: {what} {value[0]} -> {other}", "\n".join(changed) + "\n"
            else:
                for step in (1, 16):
                    changed = list(lines)
                    changed[number] = line[:start] + "%mutant" + line[end:]
                    changed.insert(number, f"    %by = arith.constant {step} : index\n    %mutant = arith.addi {operand}, %by : index")
                    yield f"line {number + 1}: {what} {operand} + {step}", "\n".join(changed) + "\n"


def equivalent(description, text):
    """Why a surviving mutant means the same, or None."""
    line = text.splitlines()[int(re.match(r"line (\d+)", description).group(1)) - 1]
    what = re.match(r"line \d+: (\S+)", description).group(1)
    if what.startswith(("strides", "shape")) and "make_tensor_view" in line:
        axis = int(what[what.index("[") + 1 : -1])
        view = re.search(rf"({VALUE}) = pto\.make_tensor_view", line).group(1)
        return viewEquivalent(text, view, axis, what.startswith("strides"))
    if what in ("upper", "step", "lower"):
        return loopEquivalent(text, line, what, description)
    if what.startswith(("offsets", "sizes")) and isUnread(text, re.search(rf"({VALUE}) = pto\.partition_view", line).group(1)):
        return "nothing reads the tile that is loaded"
    return None


def isUnread(text, window):
    """The window is only loaded, into a tile that nothing else names: the load may fault, and computes nothing."""
    uses = re.findall(rf".*{re.escape(window)}(?![\w.#]).*", text)
    load = re.search(rf"pto\.tload ins\({re.escape(window)} :.*outs\(({VALUE}) :", text)
    return load is not None and len(uses) == 2 and len(re.findall(rf"{re.escape(load.group(1))}(?![\w.#])", text)) == 2


def loopEquivalent(text, line, what, description):
    constants = constantsOf(text.splitlines())
    changed = re.search(r"(\d+) -> (\d+)$", description)
    bounds = [constants.get(v, (None,))[0] for v in re.search(rf"= ({VALUE}) to ({VALUE}) step ({VALUE})", line).groups()]
    if not changed or None in bounds:
        return None
    before = range(*bounds)
    bounds[("lower", "upper", "step").index(what)] = int(changed.group(2))
    return "the loop takes the same steps" if bounds[2] and list(before) == list(range(*bounds)) else None


def viewEquivalent(text, view, axis, isStride):
    constants = constantsOf(text.splitlines())
    found = re.findall(rf"({VALUE}) = pto\.partition_view {re.escape(view)}, offsets = \[([^\]]*)\], sizes = \[([^\]]*)\]", text)
    windows = [(offsets, sizes) for window, offsets, sizes in found if not isUnread(text, window)]
    if not windows:
        return "no window is taken of this view" if not found else "nothing reads the tiles that are loaded from it"
    moves = False
    for offsets, sizes in windows:
        offset, size = offsets.split(", ")[axis], sizes.split(", ")[axis]
        moves |= constants.get(offset, (1,))[0] != 0 or constants.get(size, (2,))[0] > 1
    if isStride:
        return None if moves else "every window starts at 0 and takes one element on this axis"
    return "strides are explicit: the extent of a view only bounds its windows, and all are inside"


def programOf(path):
    """The entries of a file; none when it is not Python that runs, or not modelled: run_truth.py says which."""
    try:
        signal.alarm(20)
        try:
            return oracle.entries(oracle.loadProgram(path))
        finally:
            signal.alarm(0)
    except Exception:  # pylint: disable=broad-except
        return {}


def evaluate(options, path):
    """(mutants, faults, differs, survivors) of one file; survivors with their texts' reasons."""
    found = {"mutants": 0, "fault": 0, "differs": 0, "equivalent": 0, "survivors": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            harness.run([options.placid, "build", "--until", "pto", "--out", name, str(path)], "build")
            manifest = harness.manifestOf(folder)
        except (harness.Mismatch, MemoryError):
            return found
        known = programOf(path)
        entries = harness.entriesOf(manifest)
        for kernel in manifest["kernels"]:
            same = [k for k in manifest["kernels"] if k["entry"] == kernel["entry"]]
            if kernel["entry"] not in known or len(same) != 1 or entries.count(kernel["entry"]) != 1:
                continue  # several kernels on one set of tensors are what run_truth.py is for
            function, owner = known[kernel["entry"]]
            try:
                problem = harness.Problem(function, owner, f"mutate:{path}", harness.readsBlock(path.read_text(), function))
                problem.solve()
            except (oracle.Unmodelled, harness.TooLarge):
                continue
            arguments = argumentsFor(problem, kernel, folder)
            if arguments is None:
                continue
            text = (folder / kernel["pto"]).read_text()
            large = max((oracle.count(shape) for shape in problem.shapes.values()), default=0) > LARGE
            run(options, folder, text, arguments, found, path, large)
    return found


def argumentsFor(problem, kernel, folder):
    launched = re.match(r"// blocks: (\d+)", (folder / kernel["pto"]).read_text())
    out = ["--blocks", str(problem.blocks or (int(launched.group(1)) if launched else 1))]
    for argument in kernel["arguments"]:
        name = argument["name"]
        if argument["kind"] == "scalar" or argument["kind"] == "extent":
            value = problem.scalars.get(name, problem.extents.get(name))
            if value is None:
                return None
            out += ["--arg", f"scalar:{argument.get('dtype', 'INDEX')}:{value}"]
            continue
        if argument["kind"] == "context":
            out += ["--arg", "work:132:INT64"]
            continue
        if argument["kind"] == "workspace":
            out += ["--arg", f"work:{argument['shape'][0]}:{argument['dtype']}"]
            continue
        if name not in problem.data:
            return None
        dtype, shape = problem.specs[name].dtype, problem.shapes[name]
        given, wanted = folder / f"{name}.in", folder / f"{name}.want"
        given.write_bytes(dtype.pack(problem.data[name]))
        wanted.write_bytes(dtype.pack([dtype.round(v) for v in problem.expected[name]]))
        files = f"{given},{wanted}" if argument["direction"] != "in" else str(given)
        direction = "in" if argument["direction"] == "in" else "inout"
        out += ["--arg", f"{direction}:{argument['layout']}:{argument['dtype']}:{'x'.join(map(str, shape))}:{files}"]
    return out


def run(options, folder, text, arguments, found, path, large):
    made = list(mutants(text))
    most = options.most or (FEW if large else 0)
    if most and len(made) > most:
        step = len(made) / most
        made = [made[int(i * step)] for i in range(most)]
    files = []
    for i, (_, changed) in enumerate([("original", text), *made]):
        files.append(folder / f"m{i}.pto")
        files[-1].write_text(changed)
    results = subprocess.run([options.interpret, *arguments, *map(str, files)], capture_output=True, text=True, timeout=3600)
    lines = results.stdout.splitlines()
    if len(lines) != len(files) or lines[0] != "same":
        raise SystemExit(f"{path}: the kernel itself is wrong: {(lines or [results.stderr])[0]}")
    for (description, _), line in zip(made, lines[1:]):
        found["mutants"] += 1
        if line != "same":
            found[line.split()[0]] += 1
            continue
        why = equivalent(description, text)
        if why is None:
            found["survivors"].append(f"{path}: {description}")
        else:
            found["equivalent"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--interpret", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=0, help="mutants a kernel; 0 means all")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or list(run_truth.defaults())
    total = {"mutants": 0, "fault": 0, "differs": 0, "equivalent": 0, "survivors": []}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=run_truth.confine) as pool:
        for found in pool.map(evaluate, [options] * len(files), files):
            for key, value in found.items():
                total[key] += value
    for survivor in total["survivors"]:
        print("SURVIVED", survivor)
    caught = total["fault"] + total["differs"]
    print(f"{total['mutants']} mutants: {total['fault']} fault, {total['differs']} compute something else, "
          f"{total['equivalent']} mean the same, {len(total['survivors'])} survived "
          f"({100 * caught / max(1, total['mutants'] - total['equivalent']):.2f} % caught)")  # fmt: skip
    return 1 if total["survivors"] or not total["mutants"] else 0


if __name__ == "__main__":
    sys.exit(main())
