#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What may happen to processes happens to the daemon, its workers and its clients, while editors go on: every request is
answered, the last text's diagnostics arrive, nothing is left behind, memory stays. Prints what it measured.

    tests/chaos/chaos.py --placid build/release/bin/placid --server build/release/bin/placidd [--scale N] [NAME ...]

`--scale 1` is the small size of the test suite; 10 and more are for hours of one's own. With the test double as the server
the runs are about processes alone; with the real one they are about everything."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "replay"))
from lsp_client import Client, Gone  # noqa: E402

OPTIONS = None
URI = "file:///chaos.py"
PROGRAM = "import pypto.language as pl\nA = 1\n"


def percentile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))] if values else 0.0


class World:
    """A folder with the two programs, and a daemon of its own."""

    def __init__(self, **env):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-c-"))
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.folder / "run").mkdir(mode=0o700)
        shutil.copy(OPTIONS.placid, self.bin / "placid")
        shutil.copy(OPTIONS.server, self.bin / "placidd")
        self.placid = str(self.bin / "placid")
        self.env = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "run"), "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder),
                    "PLACID_WORKERS": "2", "PLACID_COMPILE_SECONDS": "3", "PLACID_LOG": "off", **env}
        self.clients = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.clients:
            client.process.kill()
            client.process.wait()
        self.run("stop")
        deadline = time.monotonic() + 10
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.05)
        left = self.processes()
        shutil.rmtree(self.folder, ignore_errors=True)
        if left and not sys.exc_info()[0]:
            raise AssertionError(f"processes are left: {left}")

    def run(self, *args, **kwargs):
        return subprocess.run([self.placid, *args], capture_output=True, text=True, env=self.env, cwd=self.folder, timeout=120, **kwargs)

    def editor(self, **kwargs):
        client = Client([self.placid, "lsp"], env=self.env, cwd=self.folder, stderr=subprocess.DEVNULL, **kwargs)
        self.clients.append(client)
        client.initialize()
        return client

    def status(self):
        return json.loads(self.run("status", "--json").stdout)

    def workers(self):
        return [w["pid"] for w in self.status()["workers"] if w["pid"] > 0]

    def processes(self):
        out = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "exe").startswith(str(self.bin)):
                    if (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX":
                        out.append(int(entry.name))
            except OSError:
                pass
        return out


def kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def text_of(number):
    return PROGRAM + "# " + "x" * (number % 50) + "\n" + f"B = {number}\n"


def worker_kills(scale):
    times = []
    with World() as world:
        editor = world.editor()
        editor.open(URI, 0, text_of(0))
        editor.settled(URI)
        for number in range(1, 20 * scale + 1):
            for pid in world.workers():
                kill(pid, signal.SIGKILL)
            start = time.perf_counter()
            editor.change(URI, number, [{"text": text_of(number)}])
            editor.settled(URI)
            times.append((time.perf_counter() - start) * 1e3)
            assert editor.diagnostics[URI]["version"] == number
    return f"{len(times)} rounds, diagnostics back p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms, 0 lost"


def worker_stops(scale):
    with World() as world:
        editor = world.editor()
        for number in range(2 * scale):
            uri = f"file:///stopped{number}.py"
            editor.open(uri, 0, text_of(number))
            editor.settled(uri)
            for pid in world.workers():
                kill(pid, signal.SIGSTOP)
            editor.change(uri, 1, [{"text": text_of(number + 1)}])
            editor.settled(uri, 30)
            codes = [d["code"] for d in editor.diagnostics[uri]["diagnostics"]]
            assert codes == ["PL9000"], codes  # it took longer than the deadline
            editor.change(uri, 2, [{"text": text_of(number + 2)}])
            editor.settled(uri, 30)
            assert not editor.diagnostics[uri]["diagnostics"]
    return f"{2 * scale} stopped workers were replaced"


def daemon_kills(scale):
    times = []
    with World() as world:
        for _ in range(scale):
            editor = world.editor()
            editor.open(URI, 0, text_of(0))
            editor.settled(URI)
            for number in range(1, 5):
                kill(world.status()["pid"], signal.SIGKILL)
                start = time.perf_counter()
                editor.change(URI, number, [{"text": text_of(number)}])
                editor.settled(URI)
                times.append((time.perf_counter() - start) * 1e3)
                assert editor.diagnostics[URI]["version"] == number
            assert editor.end() == 0
    return f"{len(times)} daemons killed, editor goes on after p50 {percentile(times, 0.5):.1f} ms, max {max(times):.1f} ms"


def daemon_stops(scale):
    with World() as world:
        editor = world.editor()
        editor.open(URI, 0, text_of(0))
        for number in range(1, scale + 1):
            pid = world.status()["pid"]
            kill(pid, signal.SIGSTOP)
            for step in range(50):
                editor.change(URI, number * 100 + step, [{"text": text_of(step)}])
            time.sleep(0.5)
            kill(pid, signal.SIGCONT)
            editor.settled(URI)
            assert editor.diagnostics[URI]["version"] == number * 100 + 49
    return f"{scale} pauses of 0.5 s"


def client_kills(scale):
    with World() as world:
        for number in range(10 * scale):
            editor = world.editor()
            editor.open(URI, 0, text_of(number))
            if number % 2:
                editor.settled(URI)
            editor.process.kill()
            editor.process.wait()
        start = time.monotonic()
        while any(s["role"] != "admin" for s in world.status()["sessions"]):
            assert time.monotonic() - start < 60, "a session is left"
            time.sleep(0.01)
        freed = time.monotonic() - start
    return f"{10 * scale} editors killed, the last session freed after {freed * 1e3:.0f} ms, 0 processes left"


def slow_reader(scale):
    with World() as world:
        slow = subprocess.Popen([world.placid, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=world.env)
        quick = world.editor()
        quick.open(URI, 0, text_of(0))

        def send(**message):
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            slow.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            slow.stdin.flush()

        send(id=1, method="initialize", params={"capabilities": {}})
        send(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///s.py", "languageId": "", "version": 0, "text": ""}})
        before = world.status()["memory"]
        for number in range(300 * scale):
            send(method="textDocument/didChange", params={"textDocument": {"uri": "file:///s.py", "version": number},
                 "contentChanges": [{"text": PROGRAM + "ERR\n" * 400 + str(number)}]})
            if number % 50 == 0:
                quick.change(URI, number + 1, [{"text": text_of(number)}])
                quick.settled(URI)
        growth = (world.status()["memory"] - before) / (1 << 20)
        slow.kill()
        slow.wait()
        slow.stdin.close()
        slow.stdout.close()
        # As in the soak: a sanitizer's memory says nothing of ours.
        assert growth < 16 or os.environ.get("SANITIZED"), f"{growth:.1f} MB wait for a client that does not read"
    return f"{300 * scale} edits of a client that does not read cost {growth:.1f} MB; another client was served"


def many_clients(scale):
    with World() as world:
        def one(number):
            editor = world.editor()
            uri = f"file:///{number}.py"
            editor.open(uri, 0, text_of(number))
            for version in range(1, 4 * scale):
                editor.change(uri, version, [{"text": text_of(number + version)}])
                editor.settled(uri)
            assert editor.diagnostics[uri]["version"] == 4 * scale - 1
            return editor
        start = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            editors = list(pool.map(one, range(64)))
        took = time.perf_counter() - start
        memory = world.status()["memory"] / (1 << 20)
        assert len([s for s in world.status()["sessions"] if s["role"] == "lsp"]) == 64
        for editor in editors:
            assert editor.end() == 0
    return f"64 editors, {took:.1f} s, daemon {memory:.1f} MB"


def full_disk(scale):
    with World() as world:
        # The daemon inherits the limit: no file of it can grow, as on a full disk.
        (world.folder / "k.py").write_text(PROGRAM)
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        first = subprocess.run([world.placid, "status"], env=world.env, capture_output=True, preexec_fn=limited)
        assert first.returncode == 4
        for number in range(10 * scale):
            (world.folder / "k.py").write_text(text_of(number))
            out = subprocess.run([world.placid, "check", "--format", "json", "k.py"], env=world.env, cwd=world.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, preexec_fn=limited)
            assert out.returncode == 0, out.stderr
        stored = [f for f in (world.folder / "cache").rglob("*") if f.is_file()]
        assert not any(f.stat().st_size for f in stored), stored
    return f"{10 * scale} commands without room for results"


def soak(scale):
    with World() as world:
        editor = world.editor()
        editor.open(URI, 0, text_of(0))
        editor.settled(URI)
        total = 4000 * scale
        early = None

        def memory():
            state = world.status()
            return (state["memory"] - state.get("cacheBytes", 0) + sum(w["memory"] for w in state["workers"])) / (1 << 20)

        for number in range(1, total + 1):
            editor.change(URI, number, [{"range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}}, "text": str(number % 10)}])
            if number % 20 == 0:
                editor.settled(URI)
            if number == min(1000, total // 2):
                early = memory()
        editor.settled(URI)
        late = memory()
        # A sanitizer keeps freed memory to watch it: there the gate would measure the sanitizer.
        assert late - early <= 8 or os.environ.get("SANITIZED"), f"{early:.1f} MB after 1000 edits, {late:.1f} MB after {total}"
    return f"{total} edits: {early:.1f} MB after 1000, {late:.1f} MB at the end"


RUNS = [worker_kills, worker_stops, daemon_kills, daemon_stops, client_kills, slow_reader, many_clients, full_disk, soak]


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *(run.__name__ for run in RUNS)])
    parser.add_argument("--placid", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--scale", type=int, default=1)
    OPTIONS = parser.parse_args()
    failed = 0
    for run in RUNS:
        if OPTIONS.names and run.__name__ not in OPTIONS.names:
            continue
        try:
            print(f"{run.__name__:14} ok    {run(OPTIONS.scale)}", flush=True)
        except (AssertionError, Gone, OSError, KeyError, subprocess.TimeoutExpired) as fault:
            failed += 1
            print(f"{run.__name__:14} FAIL  {type(fault).__name__}: {fault}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
