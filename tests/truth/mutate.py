#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the truth test: any one offset, stride or extent of emitted PTO IR that is wrong must be noticed.

    mutate.py --placid build/release/bin/placid --interpret build/release/bin/placid-interpret [FILE…]

Every number that addresses memory is changed, one at a time: offsets and sizes of partition_view, shape and strides of
make_tensor_view, indices of textract, bounds of loops, divisors and other right operands of index arithmetic. The change
is another constant, or the old value plus 1 or plus 16. Of a kernel on large tensors some are run, spread over all. A
mutant is caught when, in one of several launches, it faults or computes something else than the oracle. It means the same
when in each launch every byte of the results comes from the same bytes of the arguments by the same operations, and what
decides which statements run does as well: then no data could tell. What neither holds for has survived, and is listed.
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


#: What else a kernel is launched with, beside the launch that every mutant meets: values of all scalar parameters, numbers
#: of blocks, dynamic extents. Only launches whose accesses all stay inside the tensors count.
SCALARS, BLOCKS, EXTENTS = (0, 1, 2, 3, -1, -5, 7, 16, 32, 48, 64), (1, 2, 3, 4), (3, 1, 2, 5)
#: Of these so many are used, and less work is put into kernels on large tensors.
MOST_LAUNCHES, SMALL = 8, 40_000


def launchesOf(path, function, owner, text):
    """Problems: the one that every mutant meets first, then the others."""
    first = harness.Problem(function, owner, f"mutate:{path}", text)
    first.solve()
    yield first
    sizes = [oracle.count(shape) for shape in first.shapes.values()]
    if max(sizes, default=0) > LARGE:
        return
    names = [n for n, s in first.specs.items() if isinstance(s, oracle.ScalarSpec)]
    choices = [{n: value for n in names} for value in (SCALARS if names else (0,))]
    choices += [{n: 1 + i for i, n in enumerate(names)}, {n: len(names) - i for i, n in enumerate(names)}] if len(names) > 1 else []
    seen, made = [(first.scalars, first.extents, first.blocks)], 0
    for extent in EXTENTS if first.extents else EXTENTS[:1]:
        for blocks in BLOCKS if first.wantsBlocks else (0,):
            for scalars in choices:
                problem = harness.Problem(function, owner, f"mutate:{path}:{len(seen)}", text, extent=extent)
                launch = (scalars, problem.extents, blocks)
                if launch in seen or made == (MOST_LAUNCHES if max(sizes, default=0) < SMALL else 3):
                    continue
                seen.append(launch)
                if problem.attempt(scalars, blocks):
                    made += 1
                    yield problem


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
                problems = list(launchesOf(path, function, owner, harness.readsBlock(path.read_text(), function)))
            except (oracle.Unmodelled, harness.TooLarge):
                continue
            alone = any(argument["kind"] == "context" for argument in kernel["arguments"])
            launches = [
                next((one for devices in (DEVICES if alone else DEVICES[:1])
                      if (one := argumentsFor(problem, kernel, folder, i, devices)) is None or not alone or isRight(options, one, folder / kernel["pto"])), None)
                for i, problem in enumerate(problems)
            ]  # fmt: skip
            if launches[0] is None:
                continue
            text = (folder / kernel["pto"]).read_text()
            large = max((oracle.count(shape) for shape in problems[0].shapes.values()), default=0) > LARGE
            try:
                run(options, folder, text, [one for one in launches if one is not None], found, path, large)
            except harness.Mismatch as why:
                found["survivors"].append(f"{path}: {why}")
    return found


#: What a kernel that reads the record of all devices is run with: it is alone, or the second, or both are one. The first that goes.
DEVICES = ("context:0:1", "context:1:0,1", "context:0:1,1")


def argumentsFor(problem, kernel, folder, number=0, devices=DEVICES[0]):
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
            # Where the windows of other devices begin is far from everything, if the kernel can do without them.
            out += ["--arg", devices]
            continue
        if argument["kind"] == "workspace":
            out += ["--arg", f"work:{argument['shape'][0]}:{argument['dtype']}"]
            continue
        if name not in problem.data:
            return None
        dtype, shape = problem.specs[name].dtype, problem.shapes[name]
        given, wanted = folder / f"{name}.{number}.in", folder / f"{name}.{number}.want"
        given.write_bytes(dtype.pack(problem.data[name]))
        wanted.write_bytes(dtype.pack([dtype.round(v) for v in problem.expected[name]]))
        files = f"{given},{wanted}" if argument["direction"] != "in" else str(given)
        direction = "in" if argument["direction"] == "in" else "inout"
        out += ["--arg", f"{direction}:{argument['layout']}:{argument['dtype']}:{'x'.join(map(str, shape))}:{files}"]
    return out


def interpret(options, arguments, files):
    """The interpreter's word on each text, the first of which has to be right."""
    results = subprocess.run([options.interpret, *arguments, *map(str, files)], capture_output=True, text=True, timeout=3600)
    lines = results.stdout.splitlines()
    if len(lines) != len(files) or not lines[0].startswith("same"):
        raise harness.Mismatch(f"the kernel itself is wrong: {(lines or [results.stderr])[0]}")
    return lines[1:]


def isRight(options, arguments, file):
    try:
        return not interpret(options, arguments, [file])
    except harness.Mismatch:
        return False


def run(options, folder, text, launches, found, path, large):
    made = list(mutants(text))
    most = options.most or (FEW if large else 0)
    if most and len(made) > most:
        step = len(made) / most
        made = [made[int(i * step)] for i in range(most)]
    original = folder / "original.pto"
    original.write_text(text)
    left = []
    for i, (description, changed) in enumerate(made):
        left.append((description, folder / f"m{i}.pto"))
        left[-1][1].write_text(changed)
    found["mutants"] += len(left)
    for arguments in launches:
        words = interpret(options, arguments, [original, *[file for _, file in left]])
        for word in words:
            if word != "same":
                found[word.split()[0]] += 1
        left = [one for one, word in zip(left, words) if word == "same"]
    for arguments in launches if left else []:  # what no launch has caught must do the same in all of them
        digests = interpret(options, [*arguments, "--origins"], [original, original, *[file for _, file in left]])
        own, others = digests[0], digests[1:]
        other = [one for one, digest in zip(left, others) if digest != own]
        found["survivors"] += [f"{path}: {description}" for description, _ in other]
        left = [one for one in left if one not in other]
    found["equivalent"] += len(left)


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
