#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A language server that answers every request with nothing and publishes nothing. With SILENT_SERVER_LOG=FILE it writes down
the documents that it is shown, a URI a line."""
import json
import os
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
        if message.get("method") == "textDocument/didOpen" and "SILENT_SERVER_LOG" in os.environ:
            with open(os.environ["SILENT_SERVER_LOG"], "a", encoding="utf-8") as seen:
                seen.write(message["params"]["textDocument"]["uri"] + "\n")
        if message.get("method") == "exit":
            return
        if "id" in message:
            result = {"capabilities": {"textDocumentSync": 2}} if message.get("method") == "initialize" else None
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
