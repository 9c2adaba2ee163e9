#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what the server says in other tests against the protocol's own types, and sees that a wrong answer would be caught.

Wants `npm ci` in clients/vscode, where types and compiler come from; without it: SKIP, status 77.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from traffic import collected  # noqa: E402

CLIENT = HERE.parents[1] / "clients/vscode"


def validate(messages):
    run = subprocess.run(["node", HERE / "validate.mjs", messages], text=True, capture_output=True)
    print(run.stdout + run.stderr)
    return run.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--placid", required=True, help="the program")
    parser.add_argument("--fake", help="a placidd with a compiler that is made up")
    parser.add_argument("--heard", type=pathlib.Path, help="also what was recorded in this folder, as by editors")
    options = parser.parse_args()
    if not shutil.which("node") or not (CLIENT / "node_modules/typescript").is_dir():
        print("SKIP: needs node, and `npm ci` in clients/vscode")
        return 77
    server = f"{shlex.quote(options.placid)} lsp"
    tests = HERE.parent
    plays = [[HERE / "features_test.py", "--server", server], [HERE / "pro_features_test.py", "--server", server],
             [tests / "replay/edits_equal_cold.py", "--placid", options.placid, "--files", "2"]]
    if options.fake:
        plays += [[tests / "transcripts/run.py", "--server", f"{shlex.quote(options.fake)} oneshot lsp"],
                  [tests / "daemon/test_daemon.py", "--placid", options.placid, "--fake", options.fake],
                  [tests / "cli/test_cli.py", "--placid", options.placid, "--fake", options.fake],
                  [tests / "chaos/chaos.py", "--placid", options.placid, "--server", options.fake, "worker_kills", "daemon_kills", "many_clients"]]
    # Neovim, where it is: an editor writes no record, so one is kept between it and the server.
    recorded = f"{shlex.quote(str(HERE / 'recorded_server.py'))} lsp"
    plays += [[tests / "e2e/neovim/run.py", "--server", recorded], [tests / "e2e/neovim/plugin_test.py", "--server", recorded],
              [tests / "e2e/emacs/run.py", "--server", recorded]]
    with tempfile.TemporaryDirectory() as folder:
        heard = pathlib.Path(folder) / "heard"
        heard.mkdir()
        env = {**os.environ, "PLACID_TRAFFIC": str(heard), "PLACID_RECORDED": str(pathlib.Path(options.placid).resolve())}
        for play in plays:
            before = len(collected(heard))
            status = subprocess.run([sys.executable, *play], env=env).returncode
            if status not in (0, 77):
                print(f"FAIL: {play[0]}")
                return 1
            if status == 0 and len(collected(heard)) == before:
                print(f"FAIL: nothing was heard in {play[0]}")
                return 1
        messages = collected(heard) + (collected(options.heard) if options.heard else [])
        malformed = [one["malformed"] for one in messages if "malformed" in one]
        if malformed:
            print(f"FAIL: no messages of JSON-RPC: {malformed[:5]}")
            return 1
        good = pathlib.Path(folder) / "good.json"
        good.write_text(json.dumps(messages), encoding="utf-8")
        if validate(good) != 0:
            return 1
        wrong = pathlib.Path(folder) / "wrong.json"
        for spoil in ({"method": "textDocument/hover", "result": {"contents": 7}},
                      {"method": "textDocument/foldingRange", "result": [{"startLine": 0, "endLine": 1, "colour": "red"}]},
                      {"method": "textDocument/hover", "error": {"code": "none", "message": "x"}},
                      {"method": "window/showMessage", "params": {"type": 9, "message": "x"}},
                      {"method": "$/progress", "params": {"value": {"kind": "begin", "title": "x"}}}):
            wrong.write_text(json.dumps([*messages, spoil]), encoding="utf-8")
            if validate(wrong) == 0:
                print(f"FAIL: passed for right: {spoil}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
