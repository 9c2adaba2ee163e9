# SPDX-License-Identifier: Apache-2.0
"""Assembles a PTO text with the ptoas on PATH (or under PTOAS_ROOT), as a build does; says so when there is none."""
import os
import shutil
import subprocess
import sys


def find():
    root = os.environ.get("PTOAS_ROOT")
    names = [os.path.join(root, n) for n in ("ptoas", "ptoas.sh", "bin/ptoas")] if root else ["ptoas"]
    return next((path for path in map(shutil.which, names) if path), None)


def main(path):
    program = find()
    if program is None:
        print("skipped: no ptoas on PATH and no PTOAS_ROOT")
        return 0
    command = [program, path, "-o", path + ".cpp", "--enable-insert-sync", "--pto-level=level3", "--pto-arch=a3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    sys.stderr.write(done.stderr)
    if done.returncode == 0:
        with open(path + ".cpp") as text:
            if "Layout::NZ" not in text.read():
                print("the output has no Layout::NZ")
                return 1
        print("assembled with", program)
    return done.returncode


sys.exit(main(sys.argv[1]))
