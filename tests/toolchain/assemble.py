#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real assembler on everything that placid emits for the case programs and the examples.

    assemble.py --placid build/release/bin/placid [--planner placid|ptoas] [--report FILE.md] [FILE.py…]

Takes `ptoas` from PTOAS_ROOT (the folder itself or its bin/) or PATH. Up to release 0.60 ptoas infers layouts from shapes and
refuses explicit NZ, so there --disable-infer-layout is passed. Prints one verdict a .pto file and `N accepted, M rejected`; exits
1 when one was rejected, 77 with a line that says so when there is no ptoas.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--planner", choices=LEVELS, default="placid")
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
    rows, silent = [], []
    for source in options.files or run_truth.defaults():
        shown = source.resolve().relative_to(ROOT) if source.resolve().is_relative_to(ROOT) else source
        with tempfile.TemporaryDirectory() as folder:
            built = subprocess.run([options.placid, "build", "--until", "pto", "--planner", options.planner, "--out", folder, str(source)],
                                   capture_output=True, timeout=120)  # fmt: skip
            if built.returncode != 0:
                continue
            planners = {k["pto"]: k["planner"] for k in json.loads((pathlib.Path(folder) / "manifest.json").read_text())["kernels"]}
            for path in sorted(pathlib.Path(folder).glob("*.pto")):
                accepted, nz, complaint = assemble(program, extra, path, planners[path.name])
                wanted = "#pto.layout<nz>" in path.read_text()
                if accepted and wanted and not nz:
                    silent.append(f"{shown}: {path.name}")
                rows.append((str(shown), path.name, accepted, complaint))
                print(f"{'accept' if accepted else 'REJECT'} {shown} {path.name}{' ' + complaint if complaint else ''}")
    rejected = sum(not accepted for _, _, accepted, _ in rows)
    for line in silent:
        print("NO NZ LAYOUT", line)
    print(f"{len(rows) - rejected} accepted, {rejected} rejected by ptoas {release[0]}.{release[1]} (sha256 {digest})")
    if options.report:
        lines = [f"ptoas {release[0]}.{release[1]}, sha256 `{digest}`", "", "| program | unit | verdict |", "|---|---|---|"]
        lines += [f"| {s} | {u} | {'accepted' if a else 'rejected: ' + c.replace('|', '/')} |" for s, u, a, c in rows]
        options.report.write_text("\n".join(lines) + "\n")
    return 1 if rejected or silent or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
