#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether anything makes `placid ir --all` or `placid inspect` fall over.

    sweep.py --placid build/release/bin/placid DIR…

Runs both on every file below the folders that imports a PL dialect, each in a process of its own. A crash, a run without an end
and an internal error (PL9000) are printed and counted; what a program is refused for is not. Exits 1 when something was printed.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys

DIALECT = re.compile(rb"^\s*(?:import|from)\s+pypto(?:_pro)?\b", re.M)
COMMANDS = (("ir", "--all"), ("inspect",))


def fault(options, path, command):
    call = [options.placid, command[0], "--no-daemon", *command[1:], "--arch", options.arch, str(path)]
    try:
        done = subprocess.run(call, capture_output=True, timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    internal = [line for line in text.splitlines() if "PL9000" in line or "internal error" in line]
    return internal[0] if internal else f"status {done.returncode}" if done.returncode not in (0, 1) else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--placid", required=True)
    parser.add_argument("--arch", default="a3")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    files = [path for folder in options.folders for path in sorted(folder.rglob("*.py")) if DIALECT.search(path.read_bytes())]
    jobs = [(path, command) for path in files for command in COMMANDS]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (path, command), why in zip(jobs, pool.map(lambda job: fault(options, *job), jobs)):
            if why:
                wrong += 1
                print(f"{path}: {command[0]}: {why}")
    print(f"{len(files)} files, {len(jobs)} runs, {wrong} at fault")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
