#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives clients/neovim in a real, headless Neovim against the real server. Without `nvim` on PATH: SKIP, status 77."""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from run import KERNEL, PRO

FAKE = pathlib.Path(__file__).resolve().parents[2] / "toolchain/fake/ptoas"
PLUGIN = pathlib.Path(__file__).resolve().parents[3] / "clients/neovim"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server")
    options = parser.parse_args()
    if not shutil.which("nvim"):
        print("SKIP: nvim is not installed")
        return 77
    server = shlex.split(options.server)
    server[0] = str(pathlib.Path(server[0]).resolve())
    with tempfile.TemporaryDirectory(prefix="placid nvim ") as folder:
        # A copy: `helptags` writes beside the help file.
        plugin = pathlib.Path(folder) / "plugin"
        shutil.copytree(PLUGIN, plugin)
        path = pathlib.Path(folder) / "kern.py"
        path.write_text(KERNEL, encoding="utf-8")
        beside = [pathlib.Path(folder) / name for name in ("beside.py", "other/third.py", "other/fourth.py")]
        for one in beside:
            one.parent.mkdir(exist_ok=True)
            one.write_text(KERNEL, encoding="utf-8")
        for name, text in (("other.py", KERNEL), ("pro.py", PRO)):
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        ptoas = pathlib.Path(folder) / "ptoas/bin"
        ptoas.mkdir(parents=True)
        shutil.copy(FAKE, ptoas / "ptoas")
        (ptoas / "behaviour").write_text("error")
        case = {"server": server, "file": str(path), "code": "PL3105", "other": str(path.with_name("other.py")),
                "pro": str(path.with_name("pro.py")), "pro_code": "PL6068", "ptoas": str(ptoas),
                "beside": str(beside[0]), "others": [str(one) for one in beside[1:]]}
        env = {**os.environ, "PLACID_E2E": json.dumps(case), "PTOAS_ROOT": str(ptoas.parent)}
        for name in ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "PTO_ISA_PATH", "PTO_ISA_ROOT"):
            env.pop(name, None)
        env.update({name: folder for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")})
        script = pathlib.Path(__file__).with_name("plugin.lua")
        runtime = f"lua vim.opt.runtimepath:prepend({json.dumps(str(plugin))})"
        run = subprocess.run(
            ["nvim", "--clean", "--headless", "--cmd", runtime, "-c", f"helptags {str(plugin / 'doc').replace(' ', chr(92) + ' ')}",
             "-c", f"luafile {script}"],
            env=env, cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=400)
    print(run.stdout + run.stderr)
    return 0 if run.returncode == 0 and "PASS" in run.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
