#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time from an edit to its diagnostics, as an editor sees it: from handing the didChange bytes to the pipe until the
publishDiagnostics of that version is parsed. Prints p50, p95 and p99 in milliseconds, and a burst. Not a test: numbers
depend on the machine. Without a file, a program of about 300 lines is made.

    tests/bench/edit_to_diagnostics.py --server 'build/release/bin/placid lsp' [FILE --line N] [--edits N]
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import time

KERNEL = '''

@pl.program
class Kernel{n}:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_nz: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_nz, [{offset}, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
'''


def program(kernels):
    text = "import pypto.language as pl\n"
    return text + "".join(KERNEL.format(n=n, offset=16 * (n % 5)) for n in range(kernels))


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = None
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length is None:
            raise SystemExit("the server closed its output")
        return json.loads(self.process.stdout.read(length))

    def published(self, version):
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return message["params"]["diagnostics"]


def percentile(sorted_values, q):
    return sorted_values[min(len(sorted_values) - 1, int(q * len(sorted_values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    parser.add_argument("--server", default="build/release/bin/placid lsp")
    parser.add_argument("--line", type=int, default=0, help="1-based line whose first integer is edited")
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--burst", type=int, default=20)
    options = parser.parse_args()
    text = options.file.read_text(encoding="utf-8") if options.file else program(18)
    lines = text.split("\n")
    number = options.line - 1 if options.line else next(i for i, line in enumerate(lines) if "w_nz, [" in line)
    digits = list(re.finditer(r"\b\d+\b", lines[number]))
    if not digits:
        raise SystemExit("no integer on that line")
    where = next((d for d in digits if lines[number][: d.start()].endswith("w_nz, [")), digits[0])
    spellings = [where.group(), str(int(where.group()) + 8)]

    client = Client(shlex.split(options.server))
    start = time.perf_counter()
    client.send(id=1, method="initialize", params={"capabilities": {}})
    client.receive()
    ready = time.perf_counter() - start
    uri = "file:///bench.py"
    client.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 0, "text": text}})
    at_open = len(client.published(0))
    first = time.perf_counter() - start
    version = 0
    current = where.group()

    def edit():
        nonlocal version, current
        version += 1
        new = spellings[version % 2]
        span = {"start": {"line": number, "character": where.start()}, "end": {"line": number, "character": where.start() + len(current)}}
        current = new
        client.send(method="textDocument/didChange",
                    params={"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": span, "text": new}]})

    times = []
    counts = set()
    for _ in range(options.edits):
        began = time.perf_counter()
        edit()
        counts.add(len(client.published(version)))
        times.append((time.perf_counter() - began) * 1e3)
    began = time.perf_counter()
    for _ in range(options.burst):
        edit()
    client.published(version)
    burst = (time.perf_counter() - began) * 1e3
    client.send(id=2, method="shutdown")
    client.receive()
    client.send(method="exit")
    client.process.wait()
    times.sort()
    print(f"{len(lines)} lines, {options.edits} edits; diagnostics: {at_open} at open, {sorted(counts)} after edits")
    print(f"initialize {ready * 1e3:.1f} ms, first diagnostics {first * 1e3:.1f} ms")
    print("edit to diagnostics  " + "  ".join(f"p{int(q * 100)} {percentile(times, q):.2f} ms" for q in (0.5, 0.95, 0.99)))
    print(f"burst of {options.burst} edits: {burst:.2f} ms")


if __name__ == "__main__":
    main()
