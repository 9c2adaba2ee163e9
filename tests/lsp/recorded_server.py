#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands where an editor expects `placid`: passes every byte between the editor and the program that PLACID_RECORDED names,
and keeps what the server says as traffic.py does. What is no `lsp` is run as it is. Standard library only."""
import json
import os
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from traffic import Traffic  # noqa: E402


class Frames:
    """Takes bytes as they come and gives every whole message to `found`."""

    def __init__(self, found):
        self.found = found
        self.rest = b""

    def take(self, data):
        self.rest += data
        while (end := self.rest.find(b"\r\n\r\n")) >= 0:
            length = next(int(line.split(b":")[1]) for line in self.rest[:end].split(b"\r\n") if line.lower().startswith(b"content-length:"))
            if len(self.rest) < end + 4 + length:
                return
            body, self.rest = self.rest[end + 4 : end + 4 + length], self.rest[end + 4 + length :]
            self.found(json.loads(body))


def pump(source, sink, found):
    """Until the source ends or the sink is gone; then the sink ends, too."""
    frames = Frames(found)
    try:
        while data := os.read(source, 1 << 16):
            frames.take(data)  # first: an answer never overtakes the note of its question
            while data:
                data = data[os.write(sink, data) :]
    except OSError:
        pass
    try:
        os.close(sink)
    except OSError:
        pass


def main():
    program = os.environ["PLACID_RECORDED"]
    if "lsp" not in sys.argv[1:]:
        os.execv(program, [program, *sys.argv[1:]])
    server = subprocess.Popen([program, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    traffic = Traffic()
    threading.Thread(target=pump, args=(0, os.dup(server.stdin.fileno()), traffic.sent), daemon=True).start()
    server.stdin.close()
    pump(server.stdout.fileno(), 1, traffic.received)
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
