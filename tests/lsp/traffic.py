# SPDX-License-Identifier: Apache-2.0
"""What a server says in a test, kept for validate.mjs: with PLACID_TRAFFIC=FOLDER in the environment every client of the
tests writes each message of its server there, with the method that an answer belongs to. Standard library only."""
import json
import os
import pathlib
import tempfile


class Traffic:
    """Of one connection. Threads may send and receive at once."""

    def __init__(self):
        folder = os.environ.get("PLACID_TRAFFIC")
        self.asked = {}
        self.file = None
        if folder:
            handle, self.file = tempfile.mkstemp(suffix=".jsonl", dir=folder)
            os.close(handle)

    def sent(self, message):
        for one in message if isinstance(message, list) else [message]:
            if self.file and isinstance(one, dict) and "method" in one and isinstance(one.get("id"), (int, str)):
                self.asked[one["id"]] = one.get("method")

    def received(self, message):
        if not self.file or message is None:
            return
        for one in message if isinstance(message, list) else [message]:
            if "method" in one:
                kept = {"method": one["method"], "params": one.get("params"), "asks": "id" in one}
            else:
                kept = {"method": self.asked.get(one.get("id")), **{key: one[key] for key in ("result", "error") if key in one}}
            if one.get("jsonrpc") != "2.0" or ("method" not in one and ("result" in one) == ("error" in one)):
                kept["malformed"] = one
            with open(self.file, "a", encoding="utf-8") as out:
                out.write(json.dumps(kept) + "\n")


def collected(folder):
    """All that was kept in the folder, in the order of files and lines."""
    out = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        out += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return out
