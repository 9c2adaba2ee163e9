#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives eglot in Emacs, in batch, against the real server: squiggle, quick fix, hover. Without Emacs 28 and eglot 1.9
(Debian's emacs-nox and elpa-eglot), or Emacs 29: SKIP, status 77."""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "neovim"))
from run import KERNEL, PRO  # noqa: E402

PACKAGES = pathlib.Path("/usr/share/emacs/site-lisp/elpa")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server; its first word is used")
    options = parser.parse_args()
    load = [word for path in sorted(PACKAGES.glob("*")) for word in ("-L", str(path))] if PACKAGES.is_dir() else []
    emacs = ["emacs", "-Q", "--batch", *load]
    probe = shutil.which("emacs") and subprocess.run([*emacs, "--eval", "(require 'eglot)"], capture_output=True)
    if not probe or probe.returncode != 0:
        print("SKIP: emacs with eglot is not installed")
        return 77
    program = str(pathlib.Path(shlex.split(options.server)[0]).resolve())
    with tempfile.TemporaryDirectory(prefix="placid-emacs-") as folder:
        path = pathlib.Path(folder) / "kern.py"
        path.write_text(KERNEL, encoding="utf-8")
        other = pathlib.Path(folder) / "pro.py"
        other.write_text(PRO, encoding="utf-8")
        env = {**os.environ, "PLACID": program, "PLACID_FILE": str(path), "PLACID_PRO": str(other), "HOME": folder}
        script = pathlib.Path(__file__).with_name("eglot.el")
        run = subprocess.run([*emacs, "-l", str(script)], env=env, cwd=folder, text=True, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=300)
    print(run.stdout + run.stderr)
    return 0 if run.returncode == 0 and "PASS" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
