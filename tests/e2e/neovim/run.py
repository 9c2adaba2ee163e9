#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives a real, headless Neovim against a language server: open, see the squiggle, fix it, see it vanish.

Without `nvim` on PATH prints one line that starts with SKIP and ends with status 77, which CTest shows as skipped.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

KERNEL = """\
import pypto.language as pl


@pl.program
class Lanes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_nz: pl.Tensor[[96, 64], pl.FP16, pl.NZ],  # \U0001F600 before the end of the line
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_nz, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
"""
PRO = """\
import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 128], pl.DT_FP16, pl.NZ]):
    tt = pl.TileType(shape=[64, 32], dtype=pl.DT_FP16, layout=pl.NZ)
    t = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()
    pl.load(t, x, [0, 24])
"""
LINE = 14
REAL = {
    "text": KERNEL,
    "line": LINE,
    "fixed": KERNEL.splitlines()[LINE - 1].replace("[24, 0]", "[32, 0]"),
    "code": "PL3105",
    "hover": {"line": 10, "character": KERNEL.splitlines()[9].index("pl.NZ") + 2, "contains": "[1, 4, 6, 16, 16]"},
}
FAKE = {
    "text": "w: pl.NZ\n\U0001F600 = ERR\n",
    "line": 2,
    "fixed": "x = 1",
    "code": "PL2001",
    "hover": {"line": 1, "character": 4, "contains": "[1, 4, 12, 16, 16]"},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server")
    parser.add_argument("--fake", action="store_true", help="the server is the test double: use its words instead of a kernel")
    options = parser.parse_args()
    if not shutil.which("nvim"):
        print("SKIP: nvim is not installed")
        return 77
    case = dict(FAKE if options.fake else REAL)
    server = shlex.split(options.server)
    server[0] = str(pathlib.Path(server[0]).resolve())
    with tempfile.TemporaryDirectory(prefix="placid nvim ") as folder:  # a space: the URI must be decoded
        path = pathlib.Path(folder) / "kern\u00e9l.py"
        path.write_text(case.pop("text"), encoding="utf-8")
        case.update(server=server, file=str(path))
        env = {**os.environ, "PLACID_E2E": json.dumps(case), "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        script = pathlib.Path(__file__).with_name("open_fix.lua")
        run = subprocess.run(["nvim", "--clean", "--headless", "-c", f"luafile {script}"], env=env, cwd=folder, text=True,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    print(run.stdout + run.stderr)
    return 0 if run.returncode == 0 and "PASS" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
