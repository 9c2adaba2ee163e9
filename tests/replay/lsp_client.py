# SPDX-License-Identifier: Apache-2.0
"""A language client of a few words, for scripts that drive a server: the newest diagnostics of each document, requests
with a deadline, edits by the protocol's UTF-16 positions. Standard library only."""
import json
import pathlib
import queue
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lsp"))
from traffic import Traffic  # noqa: E402


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def position(text, offset):
    """The protocol's position of a character offset."""
    before = text[:offset]
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {"line": len(lines) - 1, "character": utf16(lines[-1])}


class Gone(Exception):
    pass


class Client:
    def __init__(self, command, **kwargs):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **kwargs)
        self.messages = queue.Queue()
        self.diagnostics = {}
        self.id = 0
        self.traffic = Traffic()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while True:
                length = None
                while line := self.process.stdout.readline().strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if length is None:
                    break
                message = json.loads(self.process.stdout.read(length))
                self.traffic.received(message)
                self.messages.put(message)
        except (ValueError, OSError):
            pass
        self.messages.put(None)

    def send(self, **message):
        self.traffic.sent(message)
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def take(self, timeout):
        try:
            message = self.messages.get(timeout=timeout)
        except queue.Empty:
            raise Gone("no answer in time") from None
        if message is None:
            raise Gone("the server closed its output")
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        elif "method" in message and "id" in message:  # some servers ask; nothing here has an answer
            items = (message.get("params") or {}).get("items") or []
            self.send(id=message["id"], result=[None] * len(items) if message["method"] == "workspace/configuration" else None)
        return message

    def request(self, method, params, timeout=60):
        self.id += 1
        mine = self.id
        self.send(id=mine, method=method, params=params)
        while True:
            message = self.take(timeout)
            if message.get("id") == mine and "method" not in message:
                return message

    def initialize(self, **params):
        reply = self.request("initialize", {"capabilities": {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}, **params})
        self.send(method="initialized", params={})
        return reply

    def open(self, uri, version, text):
        self.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": version, "text": text}})

    def change(self, uri, version, changes):
        self.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def close(self, uri):
        self.send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})

    def settled(self, uri, timeout=60):
        """The diagnostics of the newest text."""
        reply = self.request("placid/settled", {"textDocument": {"uri": uri}}, timeout)
        if "error" in reply:
            raise Gone(str(reply["error"]))
        return self.diagnostics.get(uri, {}).get("diagnostics")

    def end(self):
        try:
            self.request("shutdown", None, 10)
            self.send(method="exit")
            return self.process.wait(10)
        except (Gone, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            return self.process.wait()
