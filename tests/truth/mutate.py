#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation test of the truth test: any one offset, stride or extent of emitted PTO IR that is wrong must be noticed.

    mutate.py --placid build/release/bin/placid --interpret build/release/bin/placid-interpret [FILE…]

Every integer that a statement is given is changed, one at a time: offsets, sizes, shapes and strides of views, windows of tiles
and their live parts, addresses, indices, bounds of loops, operands of arithmetic, comparisons, choices and branches, extents of
what a pipe carries; and the numbers among the attributes of pipes. The change is another constant, or the old value plus 1 or plus
16 (of a dividend, plus as many divisors). Of a kernel on large tensors some are run, spread over all. With --state a run goes on
where another was ended. A
mutant is caught when, in one of several launches, it faults or computes something else than the oracle. It means the same
when in each launch every byte of the results comes from the same bytes of the arguments by the same operations, and what
decides which statements run does as well: then no data could tell. What neither holds for has survived, and is listed.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
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
INTEGER = r"index|i\d+"
#: Numbers that are written as attributes, and what a wrong compiler could have written instead.
ATTRIBUTES = {
    "base": lambda v: [v + 32, v + 512, v // 2],
    "slot_size": lambda v: [v * 2, v // 2, v + 32],
    "slot_num": lambda v: [v * 2, v - 1],
    "split": lambda v: [other for other in (0, 1, 2) if other != v],
}
#: Of a kernel with a tensor of more elements than this, so many mutants are run, spread over all.
LARGE, FEW = 200_000, 16


def bodyOf(line):
    return line.split(" loc(")[0]


def typesOf(lines):
    """The type of every name that stands for an integer, as of each line: functions have names of their own."""
    known, out = {}, []
    for line in lines:
        body = bodyOf(line)
        if "func.func" in body:
            known = {name: kind for name, kind in re.findall(rf"({VALUE}): ({INTEGER})\b", body)}
        else:
            found = re.match(rf"\s*({VALUE})(:\d+)? = (\S+)", body)
            last = re.search(rf"(?:->|:|\bto) ({INTEGER})$", body)
            if found and last and found.group(3) not in ("scf.for", "scf.if"):
                known = {**known, found.group(1): "i1" if found.group(3) == "arith.cmpi" else last.group(1)}
            loop = re.search(rf"scf\.for ({VALUE}) = ", body)
            if loop:
                over = re.search(rf": ({INTEGER}) {{$", body)
                known = {**known, loop.group(1): over.group(1) if over else "index"}
            results = re.search(r"-> \(([^()]*)\) {$", body)
            if results:
                kinds = [kind.strip() for kind in results.group(1).split(",")]
                names = [f"{found.group(1)}#{i}" if found.group(2) else found.group(1) for i in range(len(kinds))] if found else []
                carried = re.search(r"iter_args\(([^)]*)\)", body)
                within = re.findall(rf"({VALUE}) = ", carried.group(1)) if carried else []
                for group in (names, within):
                    known = {**known, **{n: k for n, k in zip(group, kinds) if re.fullmatch(INTEGER, k)}}
        out.append(known)
    return out


def sites(line, types):
    """(what, start, end) of every integer that a line is given: names of them, and numbers in their place."""
    body = bodyOf(line)
    found = re.match(rf"\s*(?:{VALUE}(?::\d+)? = )?([\w.]+)", body)
    if not found or "func.func" in body or found.group(1) == "arith.constant":
        return
    operation = found.group(1)
    count = 0
    for operand in re.finditer(VALUE, body):
        if operand.group() not in types or re.match(r"(:\d+)? = ", body[operand.end() :]):
            continue
        count += 1
        if operation in ("arith.addi", "arith.subi") and count == 1:
            continue  # the other operand is the same change
        role = re.search(r" (\w+)(?: =)? \[[^\[\]]*$| (\w+) = $", body[: operand.start()])
        yield f"{operation} {(role and (role.group(1) or role.group(2))) or 'operand'}[{count - 1}]", operand.start(), operand.end()
    window = re.search(r"pto\.subview .* sizes \[([\d, ]+)\]", body)
    for number in re.finditer(r"\d+", window.group(1)) if window else ():
        yield "pto.subview size", window.start(1) + number.start(), window.start(1) + number.end()
    for number in re.finditer(r"\b(base|slot_size|slot_num|split) = (\d+)", body):
        yield number.group(1), number.start(2), number.end(2)


def constantsOf(lines):
    out = {}
    for line in lines:
        found = re.match(rf"\s*({VALUE}) = arith\.constant (-?\d+) : (\w+)", line)
        if found:
            out[found.group(1)] = int(found.group(2))
    return out


def variants(what, value):
    """Numbers that a wrong compiler could have written instead of a constant."""
    if what in ATTRIBUTES:
        return sorted({v for v in ATTRIBUTES[what](value) if v >= 0 and v != value})
    if what.startswith(("arith.floordivsi", "arith.divsi")):  # a neighbour gives the same quotients for small dividends
        return [value // 2, value * 2]
    if "addr" in what:  # in whole lines; half a line is a fault of its own
        return sorted({value + 32, value + 512, value + 1, value // 2, value * 2} - {value})
    near = {value + 1, value - 1, value * 2, value + 16}
    if value % 2 == 0 and value:
        near.add(value // 2)
    return sorted(v for v in near if v >= 0 and v != value)


def quotientOf(line, start, constants):
    """What a number has to grow by to change what it is divided to; 1 where it is not divided."""
    found = re.search(rf"arith\.(divsi|floordivsi|shrui|shrsi) {VALUE}, ({VALUE})", line)
    if not found or start > found.start(2) or found.group(2) not in constants:
        return 1
    by = constants[found.group(2)]
    return by if "div" in found.group(1) else 1 << by


def mutants(text):
    """(description, text) for every mutation."""
    lines = text.splitlines()
    constants, types = constantsOf(lines), typesOf(lines)
    for number, line in enumerate(lines):
        for what, start, end in sites(line, types[number]):
            operand = line[start:end]
            if operand.isdigit():
                for other in variants(what, int(operand)):
                    changed = list(lines)
                    changed[number] = line[:start] + str(other) + line[end:]
                    yield f"line {number + 1}: {what} {operand} -> {other}", "\n".join(changed) + "\n"
                continue
            kind = types[number][operand]
            if operand in constants:
                made = [(f"{constants[operand]} -> {other}", f"    %mutant = arith.constant {other} : {kind}")
                        for other in variants(what, constants[operand])]  # fmt: skip
            elif kind == "i1":
                made = [(f"not {operand}", f"    %by = arith.constant 1 : i1\n    %mutant = arith.xori {operand}, %by : i1")]
            else:
                unit = quotientOf(line, start, constants)
                made = [(f"{operand} + {step}", f"    %by = arith.constant {step} : {kind}\n    %mutant = arith.addi {operand}, %by : {kind}")
                        for step in (unit, 16 * unit)]  # fmt: skip
            for description, prelude in made:
                changed = list(lines)
                changed[number] = line[:start] + "%mutant" + line[end:]
                changed.insert(number, prelude)
                yield f"line {number + 1}: {what} {description}", "\n".join(changed) + "\n"


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
    again = harness.Problem(function, owner, f"mutate again:{path}", text)  # a number may be 0 by chance
    if again.attempt(first.scalars, first.blocks):
        yield again
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
            if any(argument["kind"] == "context" for argument in kernel["arguments"]):
                launches = list(launchesOfDevices(options, problems, kernel, folder))
            else:
                launches = [argumentsFor(problem, kernel, folder, i) for i, problem in enumerate(problems)]
            if not launches or launches[0] is None:
                continue
            text = (folder / kernel["pto"]).read_text()
            large = max((oracle.count(shape) for shape in problems[0].shapes.values()), default=0) > LARGE
            try:
                run(options, folder, text, [one for one in launches if one is not None], found, path, large)
            except harness.Mismatch as why:
                found["survivors"].append(f"{path}: {why}")
    return found


#: How a kernel that reads the record of all devices is run: which device it is, and where each has its windows: "own" for
#: those of this one, a number for so many times `DISTANCE` behind, None for far from everything. Those count that go.
DEVICES = ((0, ("own",)), (1, (None, "own")), (0, ("own", "own")), (0, ("own", 1)), (1, (1, "own")), (2, (1, 2, "own")), (1, (2, "own", 1)))
#: Bytes between the windows of two devices, if that is enough.
DISTANCE = 1 << 16


def launchesOfDevices(options, problems, kernel, folder):
    number = 0
    for problem in problems:
        scalars, blocks = dict(problem.scalars), problem.blocks
        rng = random.Random(f"peers {number}")
        for rank, windows in DEVICES:
            oracle.Devices.rank, oracle.Devices.count = rank, len(windows)
            problem.peers = {
                peer: {n: harness.values(rng, problem.specs[n].dtype, len(data)) for n, data in problem.data.items() if problem.specs[n].shared}
                for peer, window in enumerate(windows)
                if isinstance(window, int)
            }
            fits = problem.attempt(scalars, blocks)
            oracle.Devices.rank, oracle.Devices.count = 0, 1
            if not fits:
                continue
            launch = argumentsFor(problem, kernel, folder, number, (rank, windows))
            if launch is not None and isRight(options, launch, folder / kernel["pto"]):
                number += 1
                yield launch
            if number == MOST_LAUNCHES:
                return


def windowsAt(own, peers, windows, distance):
    """The bytes of the windows of all devices: this one's first, then what is `distance` behind."""
    out = bytearray(own)
    for peer, at in sorted(((p, w) for p, w in enumerate(windows) if isinstance(w, int)), key=lambda item: item[1]):
        out += bytes(at * distance - len(out)) + peers[peer]
    return bytes(out)


def argumentsFor(problem, kernel, folder, number=0, devices=DEVICES[0]):
    rank, windows = devices
    shared = [n for n in problem.data if problem.specs[n].shared]
    distance = DISTANCE
    while any(len(problem.data[n]) * 8 > distance for n in shared):
        distance *= 2
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
            places = [{"own": "1", None: "0"}.get(window) or str(window * distance) for window in windows]
            out += ["--arg", f"context:{rank}:{','.join(places)}"]
            continue
        if argument["kind"] == "workspace":
            out += ["--arg", f"work:{argument['shape'][0]}:{argument['dtype']}"]
            continue
        if name not in problem.data:
            return None
        dtype, shape = problem.specs[name].dtype, problem.shapes[name]
        given, wanted = folder / f"{name}.{number}.in", folder / f"{name}.{number}.want"
        before, after = problem.data[name], [dtype.round(v) for v in problem.expected[name]]
        if name in shared and problem.peers:
            peers = {n: dtype.pack(v[name]) for n, v in problem.peers.items()}
            given.write_bytes(windowsAt(dtype.pack(before), peers, windows, distance))
            peers = {n: dtype.pack([dtype.round(x) for x in v[name]]) for n, v in problem.kept.items()}
            wanted.write_bytes(windowsAt(dtype.pack(after), peers, windows, distance))
            out += ["--arg", f"shared:ND:{argument['dtype']}:{'x'.join(map(str, shape))}:{given},{wanted}"]
            continue
        given.write_bytes(dtype.pack(before))
        wanted.write_bytes(dtype.pack(after))
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
    parser.add_argument("--state", type=pathlib.Path, help="what was found, a line for each file; files that are in it are not run again")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or list(run_truth.defaults())
    total = {"mutants": 0, "fault": 0, "differs": 0, "equivalent": 0, "survivors": []}
    known = dict(map(json.loads, options.state.read_text().splitlines())) if options.state and options.state.exists() else {}
    wanted = [file for file in files if str(file) not in known]
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=run_truth.confine) as pool:
        jobs = {pool.submit(evaluate, options, file): file for file in wanted}
        for job in concurrent.futures.as_completed(jobs):
            known[str(jobs[job])] = job.result()
            if options.state:
                with options.state.open("a") as out:
                    out.write(json.dumps([str(jobs[job]), job.result()]) + "\n")
    for file in files:
        for key, value in known[str(file)].items():
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
