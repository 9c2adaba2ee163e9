#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A language server that answers every request with nothing and publishes nothing: editor tests must fail with it."""
import json
import sys


def main():
    stream = sys.stdin.buffer
    while True:
        length = 0
        while (line := stream.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not line:
            return
        message = json.loads(stream.read(length))
        if message.get("method") == "exit":
            return
        if "id" in message:
            result = {"capabilities": {"textDocumentSync": 2}} if message.get("method") == "initialize" else None
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
