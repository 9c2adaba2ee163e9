#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real assembler on everything that placid emits for the case programs and the examples.

    assemble.py --placid build/release/bin/placid [--planner placid|ptoas]… [--arch a3|a5]… [--report FILE.md] [FILE.py…]

Takes `ptoas` from PTOAS_ROOT (the folder itself or its bin/) or PATH. Up to release 0.60 ptoas infers layouts from shapes and
refuses explicit NZ, so there --disable-infer-layout is passed. Prints one verdict a .pto file and `N accepted, M rejected`, for
each chip and planner that are named; exits 1 when one was rejected, 77 with a line that says so when there is no ptoas.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "truth"))
import run_truth  # noqa: E402

SKIPPED = 77


def find():
    root = os.environ.get("PTOAS_ROOT")
    names = [os.path.join(root, n) for n in ("ptoas", "ptoas.sh", "bin/ptoas")] if root else ["ptoas"]
    return next((path for path in map(shutil.which, names) if path), None)


def version(program):
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    found = re.search(r"ptoas (\d+)\.(\d+)", done.stdout)
    return (int(found.group(1)), int(found.group(2))) if found else (0, 0)


#: Who gave tiles addresses, and the level at which ptoas takes such a text.
LEVELS = {"placid": "level3", "ptoas": "level2"}


def assemble(program, extra, path, planner="placid"):
    """(accepted, whether the C++ has an NZ layout, first line of the complaint)."""
    arch = re.search(r'pto\.target_arch = "(\w+)"', path.read_text()).group(1)
    out = path.with_suffix(".cpp")
    command = [program, str(path), "-o", str(out), "--enable-insert-sync", f"--pto-level={LEVELS[planner]}", f"--pto-arch={arch}", *extra]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    complaint = next((line for line in done.stderr.splitlines() if "error" in line.lower()), "")
    nz = done.returncode == 0 and "Layout::NZ" in out.read_text()
    return done.returncode == 0, nz, complaint


def units(options, source, planner, arch, folder):
    """(path, planner) of each unit of a program; none where placid refuses it."""
    chip = ["--arch", arch] if arch else []
    command = [options.placid, "build", "--until", "pto", "--planner", planner, *chip, "--out", folder, str(source)]
    if subprocess.run(command, capture_output=True, timeout=300).returncode != 0:
        return []
    planners = {k["pto"]: k["planner"] for k in json.loads((pathlib.Path(folder) / "manifest.json").read_text())["kernels"]}
    return [(path, planners[path.name]) for path in sorted(pathlib.Path(folder).glob("*.pto"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--planner", choices=LEVELS, action="append", help="may be repeated; placid when there is none")
    parser.add_argument("--arch", choices=("a3", "a5"), action="append", help="may be repeated; what the programs say when there is none")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    program = find()
    if program is None:
        print("skipped: no ptoas on PATH and no PTOAS_ROOT")
        return SKIPPED
    release = version(program)
    extra = ["--disable-infer-layout"] if release <= (0, 60) else []
    digest = hashlib.sha256(pathlib.Path(program).resolve().read_bytes()).hexdigest()
    ways = [(arch, planner) for arch in options.arch or [""] for planner in options.planner or ["placid"]]
    verdicts, silent = {}, []
    for source in options.files or run_truth.defaults():
        shown = source.resolve().relative_to(ROOT) if source.resolve().is_relative_to(ROOT) else source
        for way in ways:
            with tempfile.TemporaryDirectory() as folder:
                for path, planner in units(options, source, way[1], way[0], folder):
                    accepted, nz, complaint = assemble(program, extra, path, planner)
                    if accepted and "#pto.layout<nz>" in path.read_text() and not nz:
                        silent.append(f"{shown}: {path.name}")
                    verdicts.setdefault((str(shown), path.name), {})[way] = "" if accepted else complaint or "no word"
                    print(f"{'accept' if accepted else 'REJECT'} {' '.join(way).strip()} {shown} {path.name}{' ' + complaint if complaint else ''}", flush=True)
    for line in silent:
        print("NO NZ LAYOUT", line)
    rejected = 0
    for way in ways:
        own = [row[way] for row in verdicts.values() if way in row]
        rejected += sum(map(bool, own))
        print(f"{' '.join(way).strip()}: {sum(not word for word in own)} accepted, {sum(map(bool, own))} rejected by ptoas {release[0]}.{release[1]} (sha256 {digest})")
    if options.report:
        options.report.write_text(report(f"ptoas {release[0]}.{release[1]}, sha256 `{digest}`", ways, verdicts))
    return 1 if rejected or silent or not verdicts else 0


def report(head, ways, verdicts):
    """A table: a column for each way to build; `–` where placid itself refuses."""
    lines = [head, "", f"| program | unit | {' | '.join(' '.join(way).strip() for way in ways)} |", "|---|---" + "|---" * len(ways) + "|"]
    for (source, unit), row in verdicts.items():
        cells = ["–" if way not in row else "rejected: " + row[way].split("error: ")[-1].replace("|", "/") if row[way] else "accepted" for way in ways]
        lines.append(f"| {source} | {unit} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
