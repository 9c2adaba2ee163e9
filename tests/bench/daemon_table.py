#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon's figures in one table: what a scripted client measures through `placid lsp`, `placid check` and the socket.
Not a test: numbers depend on the machine. Other language servers can be measured in the same run, with the same edits:

    tests/bench/daemon_table.py --placid build/release/bin/placid [--edits N] [--also 'pyright-langserver --stdio']

`mlir-lsp-server-22` and `pyright-langserver` are measured when they are found. No text is ever sent twice, so that nothing is
answered from memory.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "replay"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from edit_to_diagnostics import program  # noqa: E402
from lsp_client import Client  # noqa: E402

ROWS = []


def percentile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def row(name, values, target, unit="ms"):
    text = f"p50 {percentile(values, 0.5):8.2f}  p95 {percentile(values, 0.95):8.2f}  p99 {percentile(values, 0.99):8.2f} {unit}"
    ROWS.append((name, text, target))
    print(f"{name:46} {text}   aim: {target}", flush=True)


def one(name, text, target):
    ROWS.append((name, text, target))
    print(f"{name:46} {text}   aim: {target}", flush=True)


def timed(action):
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def long_program(kernels, operations):
    """Kernels of many operations each; a window at the end of each, for edits."""
    text = "import pypto.language as pl\n"
    for n in range(kernels):
        text += f"""

@pl.function(type=pl.FunctionType.InCore)
def long{n}(w_nz: pl.Tensor[[96, 64], pl.FP16], res: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(w_nz, [{16 * (n % 5)}, 0], [32, 64])
""" + "".join(f"    t = pl.mul(t, {1 + (n + k) % 7}.5)\n" for k in range(operations - 2)) + "    return pl.store(t, [0, 0], res)\n"
    return text


class Typing:
    """A document whose window offset is edited, never twice to the same number."""

    def __init__(self, client, kernels, uri, text=None):
        self.client, self.uri, self.version = client, uri, 0
        self.text = text or program(kernels)
        lines = self.text.split("\n")
        self.line = next(i for i, line in enumerate(lines) if "w_nz, [" in line)
        match = re.search(r"w_nz, \[(\d+)", lines[self.line])
        self.at, self.now = match.start(1), match.group(1)
        client.open(uri, 0, self.text)
        client.settled(uri)

    def edit(self):
        self.version += 1
        new = str(8 * self.version)
        span = {"start": {"line": self.line, "character": self.at}, "end": {"line": self.line, "character": self.at + len(self.now)}}
        self.now = new
        self.client.change(self.uri, self.version, [{"range": span, "text": new}])

    def published(self):
        while self.client.diagnostics.get(self.uri, {}).get("version") != self.version:
            self.client.take(60)

    def edited(self):
        self.edit()
        self.published()


MLIR_LINE = "  %{n} = arith.addi %{p}, %{p} : i32\n"


class Peer:
    """Another server, with a document of its language that is edited."""

    def __init__(self, command, folder):
        self.mlir = "mlir" in command
        self.name = pathlib.Path(shlex.split(command)[0]).name
        self.client = Client(shlex.split(command), stderr=subprocess.DEVNULL, cwd=folder)
        self.started = timed(lambda: self.client.initialize(processId=os.getpid(), rootUri=folder.as_uri()))
        self.uri = (folder / ("peer.mlir" if self.mlir else "peer.py")).as_uri()
        if self.mlir:
            text = "func.func @f(%0: i32) -> i32 {\n" + "".join(MLIR_LINE.format(n=n, p=n - 1) for n in range(1, 1001))
            self.line, self.start, text = 1001, 22, text + "  %c = arith.constant 0 : i32\n  return %c : i32\n}\n"
        else:
            text = program(62) + "x: int = 0\n"
            self.line, self.start = text.count("\n") - 1, 9
        self.text, self.version, self.now = text, 0, "0"
        (folder / self.uri.rsplit("/", 1)[1]).write_text(text)
        self.client.send(method="textDocument/didOpen", params={"textDocument": {
            "uri": self.uri, "languageId": "mlir" if self.mlir else "python", "version": 0, "text": text}})
        self.published()

    def published(self):
        while self.client.diagnostics.get(self.uri, {}).get("version") != self.version:
            self.client.take(60)

    def edited(self):
        self.version += 1
        new = str(self.version)
        span = {"start": {"line": self.line, "character": self.start}, "end": {"line": self.line, "character": self.start + len(self.now)}}
        self.now = new
        # mlir-lsp-server takes a change for the whole text, whatever range it has.
        whole = self.text.replace("constant 0 ", f"constant {new} ")
        self.client.change(self.uri, self.version, [{"text": whole} if self.mlir else {"range": span, "text": new}])
        self.published()


def imported(editor, folder):
    """T2: a module that many files import, of which ten are open."""
    (folder / "sizes.py").write_text("ROWS = 32\n")
    text = program(3).replace("import pypto.language as pl\n", "import pypto.language as pl\nfrom sizes import ROWS\n").replace("[32, 64], target", "[ROWS, 64], target")
    for number in range(200):
        (folder / f"user{number}.py").write_text(text + f"U = {number}\n")
    client = editor()
    uris = [(folder / f"user{number}.py").as_uri() for number in range(10)]
    for uri in uris:
        client.open(uri, 0, pathlib.Path(uri[7:]).read_text())
        client.settled(uri)
    sizes = (folder / "sizes.py").as_uri()
    client.open(sizes, 0, "ROWS = 32\n")
    client.settled(sizes)
    version = 0

    def edited():
        nonlocal version
        version += 1
        client.change(sizes, version, [{"text": f"ROWS = {16 * version}\n"}])
        first = client.id + 1
        for uri in uris:
            client.id += 1
            client.send(id=client.id, method="placid/settled", params={"textDocument": {"uri": uri}})
        waiting = set(range(first, client.id + 1))
        while waiting:
            waiting.discard(client.take(60).get("id"))

    row("T2 edit of an imported module, 10 open", [timed(edited) for _ in range(50)], "10 ms")
    client.end()


def cancelled(client, typing):
    """T6: a request is cancelled while it runs."""

    def once():
        typing.edit()
        client.id += 1
        mine = client.id
        client.send(id=mine, method="textDocument/inlayHint", params={"textDocument": {"uri": typing.uri}, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}})
        start = time.perf_counter()
        client.send(method="$/cancelRequest", params={"id": mine})
        while client.take(60).get("id") != mine:
            pass
        took.append((time.perf_counter() - start) * 1e3)
        typing.published()

    took = []
    for _ in range(50):
        once()
    row("T6 cancel of a running request", took, "p99 10 ms")


def stopped(client):
    """T6: a text is replaced while the check of the one before is deep in its kernel: until the new one's diagnostics."""
    uri, took = "file:///deep.py", []
    client.open(uri, 0, "X = 0\n")
    client.settled(uri)
    alone = []
    for number in range(20):
        long = long_program(1, 6000).replace("1.5", f"1.{number}5")
        client.change(uri, 2 * number + 1, [{"text": long}])
        if number % 4 == 0:  # how long it would take
            start = time.perf_counter()
            client.settled(uri)
            alone.append((time.perf_counter() - start) * 1e3)
            continue
        time.sleep(min(alone) / 4000 * (number % 4))  # somewhere in the first three quarters
        start = time.perf_counter()
        client.change(uri, 2 * number + 2, [{"text": f"X = {number}\n"}])
        client.settled(uri)
        took.append((time.perf_counter() - start) * 1e3)
    client.close(uri)
    row("T6 a check of 6,000 operations in one kernel", alone, "-")
    row("T6 it is stopped by an edit: new diagnostics", took, "50 ms; 250 ms at most")


def after_a_peak(client, status, most=2048):
    """T9: a client opens texts until daemon and workers hold so many megabytes, and closes them."""

    def memory():
        state = status()
        return state["memory"] + sum(w["memory"] for w in state["workers"])

    mb = 1 << 20
    time.sleep(12)  # nothing runs, and what earlier rows have freed is given back
    before, peak, uris = memory(), 0, []
    text = "import pypto.language as pl\n" + ("# " + "x" * 77 + "\n") * (15 * mb // 80)
    while peak < most * mb and len(uris) < 150:
        uris.append(f"file:///peak{len(uris)}.py")
        client.open(uris[-1], 0, text + f"X = {len(uris)}\n")
        client.settled(uris[-1])
        peak = max(peak, memory())
    for uri in uris:
        client.close(uri)
    client.request("textDocument/hover", {"textDocument": {"uri": "file:///none.py"}, "position": {"line": 0, "character": 0}})
    start = time.monotonic()
    while (now := memory()) > 1.2 * before and time.monotonic() - start < 60:
        time.sleep(0.5)
    one("T9 after a peak: memory before, at the peak, after", f"{before / mb:.0f}, {peak / mb:.0f}, {now / mb:.0f} MB, {time.monotonic() - start:.0f} s later",
        "1.2 x after 30 s")


def typist(placid, env, folder, uri, orders, took):
    """An editor in a process of its own: one interpreter for all of them would measure its lock."""
    client = Client([placid, "lsp"], env=env, cwd=folder, stderr=subprocess.DEVNULL)
    client.initialize()
    typing = Typing(client, 18, uri)
    took.put(None)
    while order := orders.get():
        pause, edits, until = order
        out = []
        while len(out) < edits or (until and not until.exists()):
            out.append(timed(typing.edited))
            time.sleep(pause)
        took.put(out)
    client.end()


def together(options, env, folder, run):
    """T10: four editors type while commands compile: twenty edits a second each, and as fast as answers come. What one
    editor alone gets is measured with the same pause: after a pause, caches are cold."""
    placid = str(pathlib.Path(options.placid).resolve())
    editors = []
    for number in range(4):
        orders, took = multiprocessing.Queue(), multiprocessing.Queue()
        process = multiprocessing.Process(target=typist, args=(placid, env, folder, f"file:///fair{number}.py", orders, took))
        process.start()
        took.get()
        editors.append((process, orders, took))

    def type_on(who, pause, edits, until=None):
        for _, orders, _ in who:
            orders.put((pause, edits, until))
        return [value for _, _, took in who for value in took.get()]

    for pause, how in ((0.05, "20 edits a second each"), (0, "without a pause")):
        alone = type_on(editors[:1], pause, 100)
        row(f"T10 one editor alone, {how}", alone, "-")
        row(f"T10 four editors, {how}", type_on(editors, pause, 50), "-")
        rounds = 8
        for turn in range(rounds):
            for number in range(200):
                (folder / f"c{turn}_{number}.py").write_text(program(1) + f"C = {number}  # {how}\n")
        done = folder / f"done {how}"
        lengths = []

        def check():
            for turn in range(rounds):
                lengths.append(timed(lambda: run("check", *[f"c{turn}_{n}.py" for n in range(200)])))
            done.touch()

        ci = threading.Thread(target=check)
        ci.start()
        beside = type_on(editors, pause, 10, done)
        ci.join()
        row("T10 the same while 200 files are checked, again and again", beside, "p95 2 x one editor alone")
        one("T10 that is, of one editor alone", f"p95 {percentile(beside, 0.95) / percentile(alone, 0.95):.2f} x", "2 x")
        row("T10 a check of 200 files meanwhile", lengths, "-")
    for process, orders, _ in editors:
        orders.put(None)
        process.join(30)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--soak", type=int, default=100000, help="edits of the row about growth")
    parser.add_argument("--also", action="append", default=[], help="another server's command, for start and memory")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-b-"))
    (folder / "run").mkdir(mode=0o700)
    env = {**os.environ, "XDG_RUNTIME_DIR": str(folder / "run"), "XDG_CACHE_HOME": str(folder / "cache"), "PLACID_LOG": "off"}
    placid = str(pathlib.Path(options.placid).resolve())

    def run(*args):
        return subprocess.run([placid, *args], env=env, cwd=folder, capture_output=True, text=True)

    def editor():
        client = Client([placid, "lsp"], env=env, cwd=folder, stderr=subprocess.DEVNULL)
        client.initialize()
        return client

    def status():
        return json.loads(run("status", "--json").stdout)

    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    try:
        # T7: the first client starts the daemon, the later ones find it.
        cold, cold_first = [], []
        for _ in range(5):
            run("stop")
            start = time.perf_counter()
            client = Client([placid, "lsp"], env=env, cwd=folder, stderr=subprocess.DEVNULL)
            client.initialize()
            cold.append((time.perf_counter() - start) * 1e3)
            Typing(client, 3, "file:///cold.py")
            cold_first.append((time.perf_counter() - start) * 1e3)
            client.end()
        row("T7 cold daemon: initialize", cold, "45 ms")
        row("T7 cold daemon: first diagnostics", cold_first, "90 ms")
        warm, warm_first = [], []
        for number in range(20):
            start = time.perf_counter()
            client = Client([placid, "lsp"], env=env, cwd=folder, stderr=subprocess.DEVNULL)
            client.initialize()
            warm.append((time.perf_counter() - start) * 1e3)
            client.open(f"file:///warm{number}.py", 0, program(3) + f"X = {number}\n")
            client.settled(f"file:///warm{number}.py")
            warm_first.append((time.perf_counter() - start) * 1e3)
            client.end()
        row("T7 warm daemon: initialize", warm, "8 ms")
        row("T7 warm daemon: first diagnostics", warm_first, "15 ms")

        client = editor()
        for name, text, edits in (("5,000 operations in 50 kernels", long_program(50, 100), options.edits // 2),
                                  ("5,000 operations in 1,000 kernels", program(1000), options.edits // 2),
                                  ("1,560 operations in 312 kernels", program(312), options.edits // 2),
                                  ("90 operations in 18 kernels", program(18), options.edits),
                                  ("310 operations in 62 kernels", program(62), options.edits)):
            typing = Typing(client, 0, f"file:///{name.replace(' ', '-')}.py", text)
            solo = [timed(typing.edited) for _ in range(edits)]
            lines = text.count("\n")
            row(f"T1 edit, {lines} lines, {name}", solo, "3 / 8 / 15 ms at 1,000 lines; 4.4 ms at 5,000 operations")
        bursts = []
        for _ in range(10):
            def burst():
                for _ in range(20):
                    typing.edit()
                typing.published()
            bursts.append(timed(burst))
        row("T5 burst of 20 edits", bursts, "1.3 x one edit")
        at = {"textDocument": {"uri": typing.uri}, "position": {"line": typing.line, "character": typing.at}}
        client.request("textDocument/hover", at)
        row("T4 hover", [timed(lambda: client.request("textDocument/hover", at)) for _ in range(200)], "0.5 / 3 ms")
        row("T4 completion", [timed(lambda: client.request("textDocument/completion", at)) for _ in range(200)], "2 / 8 ms")
        row("T4 signature help", [timed(lambda: client.request("textDocument/signatureHelp", at)) for _ in range(200)], "1 / 4 ms")

        cancelled(client, typing)
        stopped(editor())
        imported(editor, folder)

        # T8: a file that has not changed.
        (folder / "k.py").write_text(program(3))
        run("check", "k.py")
        row("T8 check of an unchanged file, whole command", [timed(lambda: run("check", "k.py")) for _ in range(50)], "10 ms")

        together(options, env, folder, run)

        # T9: memory.
        state = status()
        mb = 1 << 20
        one("T9 daemon, workers (resident)", f"{state['memory'] / mb:.1f} MB, " + ", ".join(f"{w['memory'] / mb:.1f} MB" for w in state["workers"]), "70 MB idle")
        before = state["memory"]
        more = [editor() for _ in range(20)]
        one("T9 daemon, for one more client", f"{(status()['memory'] - before) / 20 / mb:.2f} MB", "1.5 MB")
        for extra in more:
            extra.end()
        small = Typing(client, 3, "file:///soak.py")
        for _ in range(1000):
            small.edit()
        small.published()
        state = status()
        first = state["memory"] + sum(w["memory"] for w in state["workers"]) - state["cacheBytes"]
        for number in range(options.soak - 1000):
            small.edit()
            if number % 20 == 0:
                small.published()
        small.published()
        state = status()
        last = state["memory"] + sum(w["memory"] for w in state["workers"]) - state["cacheBytes"]
        one(f"T9 growth from edit 1,000 to edit {options.soak:,}", f"{(last - first) / mb:.1f} MB", "2 MB to edit 100,000")
        after_a_peak(client, status)
        print("counters " + json.dumps(status()["counters"]))

        found = [c for c in ("mlir-lsp-server-22", "pyright-langserver --stdio") if shutil.which(c.split()[0])]
        for command in [*found, *options.also]:
            others = [Peer(command, folder) for _ in range(3)]
            row(f"{others[0].name}: initialize", [other.started for other in others], "-")
            row(f"{others[0].name}: edit to diagnostics", [timed(others[0].edited) for _ in range(min(50, options.edits))], "-")
            pages = int(pathlib.Path(f"/proc/{others[0].client.process.pid}/statm").read_text().split()[1])
            one(f"{others[0].name}: memory", f"{pages * resource.getpagesize() / mb:.1f} MB", "-")
            for other in others:
                other.client.end()
    finally:
        run("stop")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
