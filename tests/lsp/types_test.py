#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a real server answers against the protocol's own types, and sees that a wrong answer would be caught.

Wants `npm ci` in clients/vscode, where types and compiler come from; without it: SKIP, status 77.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLIENT = HERE.parents[1] / "clients/vscode"


def validate(messages):
    run = subprocess.run(["node", HERE / "validate.mjs", messages], text=True, capture_output=True)
    print(run.stdout + run.stderr)
    return run.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="command line of the server")
    options = parser.parse_args()
    if not shutil.which("node") or not (CLIENT / "node_modules/typescript").is_dir():
        print("SKIP: needs node, and `npm ci` in clients/vscode")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        good = pathlib.Path(folder) / "good.json"
        played = subprocess.run([sys.executable, HERE / "features_test.py", "--server", options.server, "--record", good])
        if played.returncode != 0 or validate(good) != 0:
            return 1
        messages = json.loads(good.read_text(encoding="utf-8"))
        wrong = pathlib.Path(folder) / "wrong.json"
        for spoil in ({"method": "textDocument/hover", "result": {"contents": 7}},
                      {"method": "textDocument/foldingRange", "result": [{"startLine": 0, "endLine": 1, "colour": "red"}]}):
            wrong.write_text(json.dumps([*messages, spoil]), encoding="utf-8")
            if validate(wrong) == 0:
                print(f"FAIL: passed for right: {spoil}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
