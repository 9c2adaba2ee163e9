#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes corpus/protocol: short conversations and malformed streams, one a file. Run it after adding a case here."""
import json
import pathlib

FOLDER = pathlib.Path(__file__).parent / "corpus" / "protocol"
URI = "file:///a%20b.py"


def frame(message):
    messages = message if isinstance(message, list) else [message]
    for one in messages:
        if isinstance(one, dict):
            one.setdefault("jsonrpc", "2.0")
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def session(*messages, end=True):
    out = frame({"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}})
    out += b"".join(map(frame, messages))
    if end:
        out += frame({"id": 99, "method": "shutdown"}) + frame({"method": "exit"})
    return out


def opened(text, version=0):
    return {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": URI, "languageId": "", "version": version, "text": text}}}


def changed(version, *changes):
    return {"method": "textDocument/didChange", "params": {"textDocument": {"uri": URI, "version": version}, "contentChanges": list(changes)}}


def span(l0, c0, l1, c1, text):
    return {"range": {"start": {"line": l0, "character": c0}, "end": {"line": l1, "character": c1}}, "rangeLength": 1, "text": text}


def hover(number, line, character):
    return {"id": number, "method": "textDocument/hover", "params": {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}}


CASES = {
    "lifecycle": session({"method": "initialized", "params": {}}, {"method": "$/setTrace", "params": {"value": "off"}}),
    "edits": session(opened("w: pl.NZ\r\nBADUSE \U0001F600 ERR\n"), changed(1, span(0, 0, 1, 2, "é")), changed(2, {"text": "LOAD"}), changed(3, span(9, 0, 9, 0, "x"))),
    "hover": session(opened("pl.NZ LOAD"), hover(2, 0, 1), {"method": "$/cancelRequest", "params": {"id": 2}}, hover("h", 0, 7)),
    "save_close": session(opened("ERR"), {"method": "textDocument/didSave", "params": {"textDocument": {"uri": URI}, "text": "WARN"}},
                          {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}}),
    "batch": session([hover(3, 0, 0), {"method": "x"}, 5, {"id": 4, "method": "y"}], []),
    "unanswered": session(opened("THROW"), end=False),
    "http": b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
    "case": b"content-length:2\r\nContent-Type: x\r\n\r\n{}",
    "huge": b"Content-Length: 1073741824\r\n\r\n{}",
    "negative": b"Content-Length: -1\r\n\r\n",
    "twice": b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n1",
    "deep": frame(1)[:0] + b"Content-Length: 600\r\n\r\n" + b"[" * 600,
    "strings": frame("\\\"[[[[{{{{") + frame({"method": "\u0000", "id": "\\"}),
    "numbers": b"Content-Length: 43\r\n\r\n" + b'{"jsonrpc":"2.0","id":1e999,"method":"initi',
    "utf8": b'Content-Length: 4\r\n\r\n"\xff\xfe"',
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in CASES.items():
        (FOLDER / name).write_bytes(b"\x20" + data)  # the first byte is the target's: the size of reads
