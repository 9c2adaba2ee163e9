#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cold checks of a code base: one process for all of it, one for its largest kernel file, and the memory of each. Not a test:
numbers depend on the machine. Where `python3` has the reference package, its own time for the same largest file is printed too
(import and compile of its kernels; the file must be importable).

    tests/bench/corpus_cold.py --placid build/release/bin/placid FOLDER [--runs 5] [--file FILE]
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

DIALECT = re.compile(rb"^\s*(?:import|from)\s+pypto(?:_pro)?\b", re.M)


def once(command):
    """Wall milliseconds and peak resident megabytes of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = (time.perf_counter() - start) * 1000
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return elapsed, usage.ru_maxrss / 1024


def measure(name, command, runs):
    results = [once(command) for _ in range(runs)]
    times = sorted(t for t, _ in results)
    print(f"{name}: median {statistics.median(times):.0f} ms, best {times[0]:.0f} ms, worst {times[-1]:.0f} ms of {runs}; {max(m for _, m in results):.0f} MB")


def hasReference():
    return subprocess.run([sys.executable, "-c", "import pypto.language"], capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--file", type=pathlib.Path, help="instead of the longest kernel file")
    options = parser.parse_args()
    files = [f for f in sorted(options.folder.rglob("*.py")) if DIALECT.search(f.read_bytes())]
    if not files:
        parser.error(f"no kernel files in {options.folder}")
    largest = options.file or max(files, key=lambda f: f.read_bytes().count(b"\n"))
    lines = largest.read_bytes().count(b"\n")
    check = [options.placid, "check", "--format", "json", "--no-daemon"]
    print(f"{len(files)} files, {sum(f.read_bytes().count(bytes([10])) for f in files)} lines; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    measure("all of it, cold", [*check, str(options.folder)], options.runs)
    measure(f"{largest.name} ({lines} lines), cold", [*check, str(largest)], options.runs)
    if hasReference():
        measure(f"the reference, import of {largest.name}", [sys.executable, str(largest), "--help"], 1)
    else:
        print("the reference package is not importable here: no figures of its own")


if __name__ == "__main__":
    main()
