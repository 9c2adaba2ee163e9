#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many core functions of a tree of PL kernels become PTO IR, and what the real assembler says of it.

    lower_corpus.py --placid build/release/bin/placid DIR… [--reasons N]

Every file that imports a PL dialect is an entry file of its own. A core function counts once for each file that reaches it. What
is not lowered is listed by reason. Functions of kernels whose parameters have shapes that no call tells are counted apart: nothing could
lower them as they stand. With a `ptoas` (PTOAS_ROOT or PATH) every unit is assembled as well. Prints one row a DIR.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import assemble  # noqa: E402

DIALECT = re.compile(rb"^\s*(?:import|from)\s+pypto(?:_pro)?\b", re.M)
CORE_LINE = re.compile(r'^.*func\.func (?!private)@\S+\(.*pl\.kind = "incore".*$', re.M)
#: Where a parameter stands of which no call tells the shape.
SHAPELESS = re.compile(r"whose shape no call tells,[^\n]*\n +--> (.*):(\d+):\d+")
#: Words of one program in a reason.
OWN = re.compile(r"`[^`]*`|\[[0-9, ]+\]|\b[0-9]+\b")
OPERATION = re.compile(r"`pl[d.][^`]*`")


def ir(options, path, *more):
    command = [options.placid, "ir", "--no-daemon", *more, str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False)


def kernelAt(file, line):
    """The function whose signature holds the line."""
    for text in reversed(pathlib.Path(file).read_text(errors="replace").splitlines()[: int(line)]):
        if found := re.match(r"\s*def (\w+)", text):
            return found.group(1)
    return ""


def reasonOf(line):
    kept = OPERATION.search(line)
    text = OWN.sub("…", re.sub(r" \(at .*", "", line))
    return text.replace("…", kept.group(0), 1) if kept else text


def lower(path, options):
    """(core functions, units, complaints of the assembler, reasons, core functions of shapes that nobody tells)."""
    try:
        lines = CORE_LINE.findall(ir(options, path, "--after", "OutlineIncoreScopes").stdout)
        done = ir(options, path, "--emit", "pto")
    except subprocess.TimeoutExpired:
        return 0, 0, [], ["placid takes too long"], 0
    cores = len(lines)
    kernels = {kernelAt(*place) for place in SHAPELESS.findall(done.stderr)}
    shapeless = sum("pl.incomplete" in line and any(f'pl.entry = "{kernel}"' in line for kernel in kernels) for line in lines)
    units = ["module attributes" + unit for unit in done.stdout.split("module attributes")[1:]]
    complaints = []
    if options.ptoas:
        with tempfile.TemporaryDirectory() as folder:
            for number, unit in enumerate(units):
                file = pathlib.Path(folder) / f"{number}.pto"
                file.write_text(unit.replace("// -----", ""))
                accepted, _, complaint = assemble.assemble(options.ptoas, options.extra, file)
                if not accepted:
                    complaints.append(re.sub(r"^loc\(.*?\): ", "", complaint))
    reasons = [reasonOf(m.group(1)) for m in re.finditer(r"(?:error\[PL(?:4\d+|6108)\]|note: also): (.*)", done.stderr)]
    return cores, len(units), complaints, reasons, shapeless


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--reasons", type=int, default=25)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("roots", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.ptoas = assemble.find()
    options.extra = ["--disable-infer-layout"] if options.ptoas and assemble.version(options.ptoas) <= (0, 60) else []
    reasons, complaints = collections.Counter(), collections.Counter()
    for root in options.roots:
        files = [f for f in sorted(root.rglob("*.py")) if DIALECT.search(f.read_bytes())]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            rows = list(pool.map(lambda f: lower(f, options), files))
        cores, units = sum(r[0] for r in rows), sum(r[1] for r in rows)
        refused = sum(len(r[2]) for r in rows)
        said = f", {units - refused} accepted by ptoas" if options.ptoas else ""
        shapeless = sum(r[4] for r in rows)
        print(f"{root}: {len(files)} files, {cores} core functions, {units} lowered{said}, {shapeless} of shapes that no call tells")
        for row in rows:
            complaints.update(row[2])
            reasons.update(row[3])
    for title, counter in (("not accepted", complaints), ("not lowered", reasons)):
        for text, count in sorted(counter.items(), key=lambda i: (-i[1], i[0]))[: options.reasons]:
            print(f"  {count:4} {title}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
