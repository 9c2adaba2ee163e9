#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays written conversations against a language server on stdio and compares what it answers.

A transcript is a text file of steps, one a line (a line that ends in a backslash goes on in the next):

    # comment
    --> {"id": 1, "method": "initialize", "params": {}}     send a message; "jsonrpc" is added
    -->raw Content-Length: 5\\r\\n\\r\\n{bad}                   send bytes, with Python escapes; "* N" at the end repeats
    --> open a.py ERR\\n                                     shorthands: open, change (whole text), close
    <-- {"id": 1, "result": {"capabilities": {}}}           the next message must contain this
    <-- publish a.py 0 [PL2001 1:5-1:8, ...]                shorthand: version, then code and 1-based range of each
    <-- nothing                                             a request of our own is answered with nothing before it
    eof                                                     close the server's input
    exit 0                                                  the server must end with this exit code

In an expected message an object must have the members given (others may be there), an array its very elements, and the
string "*" stands for anything. A transcript must end in `exit`.
"""
import argparse
import json
import pathlib
import queue
import shlex
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lsp"))
from traffic import Traffic  # noqa: E402

TIMEOUT = 20.0


class Failure(Exception):
    pass


def read_frames(stream, out, traffic):
    """Puts each message of the stream, then None."""
    try:
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    return
                line = line.strip()
                if not line:
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            message = json.loads(stream.read(length))
            traffic.received(message)
            out.put(message)
    except (ValueError, TypeError) as fault:
        out.put({"unreadable output": str(fault)})
    finally:
        out.put(None)


def contains(got, want, path="message"):
    """Where `got` lacks what is wanted, or empty."""
    if want == "*":
        return ""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return f"{path}: expected an object, got {json.dumps(got)}"
        for key, value in want.items():
            if key not in got:
                return f"{path}.{key} is missing"
            why = contains(got[key], value, f"{path}.{key}")
            if why:
                return why
        return ""
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return f"{path}: expected {json.dumps(want)}, got {json.dumps(got)}"
        for index, value in enumerate(want):
            why = contains(got[index], value, f"{path}[{index}]")
            if why:
                return why
        return ""
    return "" if got == want and type(got) is type(want) else f"{path}: expected {json.dumps(want)}, got {json.dumps(got)}"


def place(text):
    line, character = text.split(":")
    return {"line": int(line) - 1, "character": int(character) - 1}


def expected(text):
    if not text.startswith("publish "):
        return json.loads(text)
    _, name, version, rest = text.split(" ", 3)
    items = []
    for item in filter(None, (part.strip() for part in rest.strip()[1:-1].split(","))):
        code, span = item.split(" ")
        start, end = span.split("-")
        items.append({"code": code, "range": {"start": place(start), "end": place(end)}})
    params = {"uri": "file:///" + name, "diagnostics": items}
    if version != "-":
        params["version"] = int(version)
    return {"method": "textDocument/publishDiagnostics", "params": params}


class Player:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.inbox = queue.Queue()
        self.versions = {}
        self.traffic = Traffic()
        threading.Thread(target=read_frames, args=(self.process.stdout, self.inbox, self.traffic), daemon=True).start()

    def write(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the server ended; `exit` looks at that

    def send(self, message):
        messages = message if isinstance(message, list) else [message]
        for one in messages:
            if isinstance(one, dict):
                one.setdefault("jsonrpc", "2.0")
        self.traffic.sent(message)
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def text_step(self, verb, rest):
        name, _, text = rest.partition(" ")
        text = text.encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
        uri = "file:///" + name
        document = {"uri": uri}
        if verb == "open":
            self.versions[uri] = document["version"] = 0
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "python", "text": text}}})
        elif verb == "change":
            self.versions[uri] += 1
            document["version"] = self.versions[uri]
            self.send({"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [{"text": text}]}})
        else:
            self.send({"method": "textDocument/didClose", "params": {"textDocument": document}})

    def next(self):
        try:
            return self.inbox.get(timeout=TIMEOUT)
        except queue.Empty:
            raise Failure(f"no message within {TIMEOUT:g} s") from None

    def step(self, line):
        if line.startswith("-->raw "):
            data, _, count = line[len("-->raw "):].partition(" * ")
            self.write(data.encode().decode("unicode_escape").encode("latin-1") * int(count or 1))
        elif line.startswith("--> "):
            verb, _, rest = line[4:].partition(" ")
            if verb in ("open", "change", "close"):
                self.text_step(verb, rest)
            else:
                self.send(json.loads(line[4:]))
        elif line == "<-- nothing":
            self.send({"id": "nothing", "method": "$/placid/none"})
            got = self.next()
            if not isinstance(got, dict) or got.get("id") != "nothing":
                raise Failure(f"expected nothing, got {json.dumps(got)}")
        elif line.startswith("<-- "):
            want = expected(line[4:])
            got = self.next()
            if got is None:
                raise Failure("the server closed its output")
            why = contains(got, want)
            if why:
                raise Failure(f"{why}\n    got: {json.dumps(got)}")
        elif line == "eof":
            self.process.stdin.close()
        elif line.startswith("exit "):
            try:
                code = self.process.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                raise Failure(f"did not end within {TIMEOUT:g} s") from None
            if code != int(line[5:]):
                raise Failure(f"ended with {code}")
            left = self.next()
            if left is not None:
                raise Failure(f"said more than expected: {json.dumps(left)}")
            return True
        else:
            raise Failure("not a step")
        return False


def steps(path):
    joined, first = "", 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        first = first if joined else number
        joined += line.strip() if joined else line.rstrip()
        if joined.endswith("\\") and not joined.endswith("\\\\"):
            joined = joined[:-1]
            continue
        if joined and not joined.startswith("#"):
            yield first, joined
        joined = ""


def play(path, command):
    player = Player(command)
    ended = False
    try:
        for number, line in steps(path):
            if ended:
                raise Failure(f"line {number}: a step after `exit`")
            try:
                ended = player.step(line)
            except (Failure, ValueError, KeyError) as fault:
                raise Failure(f"line {number}: {line}\n    {fault}") from None
        if not ended:
            raise Failure("the transcript does not end in `exit`")
    finally:
        player.process.kill()
        player.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="command line of the server")
    parser.add_argument("transcripts", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    paths = options.transcripts or sorted(pathlib.Path(__file__).parent.glob("*.transcript"))
    failed = 0
    for path in paths:
        try:
            play(path, shlex.split(options.server))
        except Failure as fault:
            failed += 1
            print(f"{path.name}: {fault}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
