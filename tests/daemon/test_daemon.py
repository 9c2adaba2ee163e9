#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon from outside: how it starts and ends, that commands give the same bytes with it and without, and that editors
notice nothing when parts of it die. Runs `placid` beside a copy of the test double, so no compiler is needed."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lsp"))
from traffic import Traffic  # noqa: E402

OPTIONS = None


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def read_message(stream):
    length = None
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(stream.read(length)) if length is not None else None


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state not in "ZX"
    except OSError:
        return False


class Editor:
    """A language client of a few words."""

    def __init__(self, test, *args):
        self.process = subprocess.Popen([str(test.placid), "lsp", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=test.env, cwd=test.folder)
        test.addCleanup(self.close)
        self.id = 0
        self.traffic = Traffic()

    def close(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass

    def read(self):
        message = read_message(self.process.stdout)
        self.traffic.received(message)
        return message

    def notify(self, method, params):
        self.process.stdin.write(frame({"method": method, "params": params}))
        self.process.stdin.flush()

    def request(self, method, params=None):
        self.id += 1
        self.traffic.sent({"id": self.id, "method": method})
        self.process.stdin.write(frame({"id": self.id, "method": method, "params": params or {}}))
        self.process.stdin.flush()
        while message := self.read():
            if message.get("id") == self.id:
                return message
        raise AssertionError("the server closed its output: " + self.process.stderr.read().decode())

    def initialize(self, **params):
        reply = self.request("initialize", {"capabilities": {}, **params})
        self.notify("initialized", {})
        return reply

    def open(self, text, uri="file:///a.py", version=1):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": version, "text": text}})

    def replace(self, text, version, uri="file:///a.py"):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def published(self, version):
        while message := self.read():
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
                return [d["code"] for d in message["params"]["diagnostics"]]
        raise AssertionError("the server closed its output: " + self.process.stderr.read().decode())


class Daemon(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGALRM, self.too_long)
        signal.alarm(100)
        self.addCleanup(signal.alarm, 0)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-d-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.placid = self.bin / "placid"
        shutil.copy(OPTIONS.placid, self.placid)
        shutil.copy(OPTIONS.fake, self.bin / "placidd")
        self.runtime = self.folder / "run"
        self.runtime.mkdir(mode=0o700)
        self.env = {**os.environ, "TMPDIR": str(self.folder), "XDG_RUNTIME_DIR": str(self.runtime), "XDG_CACHE_HOME": str(self.folder / "cache"),
                    "PLACID_IDLE_SECONDS": "60", "PLACID_WORKERS": "2", "PLACID_COMPILE_SECONDS": "4"}
        self.addCleanup(self.run_placid, "stop")

    @staticmethod
    def too_long(*_):
        raise AssertionError("nothing happens any more")

    def run_placid(self, *args, **kwargs):
        env = {**self.env, **kwargs.pop("env", {})}
        return subprocess.run([str(self.placid), *args], capture_output=True, text=True, cwd=kwargs.pop("cwd", self.folder), env=env,
                              timeout=60, **kwargs)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def status(self):
        return json.loads(self.run_placid("status", "--json").stdout)

    def wait_for(self, condition, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def test_the_same_bytes_with_and_without(self):
        self.write("k/good.py", "import pypto\n")
        self.write("k/bad.py", "import pypto\nERR WARN\nBADUSE pl.NZ OTHER\n")
        self.write("k/latin.py", "")
        (self.folder / "k/latin.py").write_bytes(b"import pypto ERR \xe9\n")
        self.write("single.py", "import pypto\nLOAD pl.NZ BADUSE\n")
        for args in (("check", "k"), ("check", "--format", "json", "k"), ("check", "k/good.py"), ("check", "missing.py"), ("check",),
                     ("check", "--nope"), ("inspect", "single.py"), ("inspect", "--format", "json", "single.py"), ("ir", "single.py"),
                     ("ir", "--all", "--kernel", "Fake.kern", "single.py"), ("ir", "--after", "Nope", "single.py"),
                     ("check", "--arch", "a9", "k"), ("check", "--define", "N=4", "k"), ("check", str(self.folder / "k")), ("check", "--help")):
            with_daemon = self.run_placid(*args)
            without = self.run_placid("--no-daemon", *args)
            self.assertEqual((with_daemon.returncode, with_daemon.stdout, with_daemon.stderr),
                             (without.returncode, without.stdout, without.stderr), args)
        for out, flags in (("one", ()), ("two", ("--no-daemon",))):
            done = self.run_placid("build", "--until", "pto", "--out", out, *flags, "k/good.py")
            self.assertEqual(done.returncode, 0, done.stderr)
        for name in os.listdir(self.folder / "one"):
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes(), name)
            self.assertEqual((self.folder / "one" / name).stat().st_mode, (self.folder / "two" / name).stat().st_mode, name)

    def test_paths_mean_what_they_mean_to_the_client(self):
        for name, text in (("x/a.py", "ERR\n"), ("y/a.py", "\n")):
            self.write(name, text)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            jobs = [(folder, pool.submit(self.run_placid, "check", "a.py", cwd=self.folder / folder)) for folder in ("x", "y") * 20]
            for folder, job in jobs:
                self.assertEqual(job.result().returncode, 1 if folder == "x" else 0, folder)

    def test_many_clients_start_one_daemon(self):
        self.write("a.py", "\n")
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            done = list(pool.map(lambda _: self.run_placid("check", "a.py"), range(32)))
        self.assertEqual({d.returncode for d in done}, {0}, [d.stderr for d in done])
        self.assertEqual(len(list((self.runtime / "placid").glob("*.sock"))), 1)

    def test_files_are_private(self):
        self.run_placid("check", "--help")
        self.write("a.py", "\n")
        self.run_placid("check", "a.py")
        folder = self.runtime / "placid"
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        for entry in folder.iterdir():
            self.assertEqual(stat.S_IMODE(entry.stat().st_mode) & 0o077, 0, entry)
        self.run_placid("stop")
        folder.chmod(0o755)
        refused = self.run_placid("check", "a.py")
        self.assertEqual(refused.returncode, 4)
        self.assertIn("0700", refused.stderr)
        self.assertEqual(self.run_placid("check", "--no-daemon", "a.py").returncode, 0)
        folder.chmod(0o700)

    def test_status_and_stop(self):
        none = self.run_placid("status", "--json")
        self.assertEqual((none.returncode, json.loads(none.stdout)), (4, {"running": False}))
        self.assertEqual(self.run_placid("stop").returncode, 0)
        self.write("a.py", "\n")
        self.run_placid("check", "a.py")
        status = self.status()
        self.assertEqual(set(status["counters"]), {"parse", "evaluate", "check", "lower", "cacheHit"})
        for worker in status["workers"]:
            self.assertLessEqual({"pid", "age", "memory"}, set(worker))
        self.assertIn("worker", self.run_placid("status").stdout)
        pids = [status["pid"]] + [w["pid"] for w in status["workers"] if w["pid"] > 0]
        self.assertEqual(self.run_placid("stop").returncode, 0)
        for pid in pids:
            self.wait_for(lambda: not alive(pid), f"{pid} is still there")
        self.assertEqual(list((self.runtime / "placid").glob("*.sock")), [])

    def test_idle_daemons_end(self):
        self.write("a.py", "\n")
        self.run_placid("check", "a.py", env={"PLACID_IDLE_SECONDS": "1"})
        pid = self.status()["pid"]
        self.wait_for(lambda: not alive(pid), "the daemon does not end")

    def test_a_new_build_gets_a_new_daemon(self):
        self.write("a.py", "\n")
        self.run_placid("check", "a.py")
        old = self.status()["pid"]
        (self.bin / "placidd").unlink()
        shutil.copy(OPTIONS.fake, self.bin / "placidd")
        os.utime(self.bin / "placidd", ns=(1, 1))
        self.assertEqual(self.run_placid("check", "a.py").returncode, 0)
        new = self.status()["pid"]
        self.assertNotEqual(old, new)
        self.wait_for(lambda: not alive(old), "the old daemon does not end")

    def test_an_environment_of_its_own_costs_no_other_daemon(self):
        self.write("a.py", "\n")
        editor = Editor(self)
        editor.initialize()
        first = self.status()["pid"]
        other = {"XDG_CACHE_HOME": str(self.folder / "elsewhere")}
        self.addCleanup(self.run_placid, "stop", env=other)
        self.assertEqual(self.run_placid("check", "a.py", env=other).returncode, 0)
        self.assertNotEqual(json.loads(self.run_placid("status", "--json", env=other).stdout)["pid"], first)
        Editor(self).initialize()
        self.assertEqual(self.status()["pid"], first)

    def test_a_daemon_that_ends_with_its_last_client_frees_its_name(self):
        self.write("a.py", "\n")
        editor = Editor(self)
        editor.initialize()
        first = self.status()["pid"]
        # Another build comes, and the one before it comes back while its first daemon still has a client.
        program, kept = self.bin / "placidd", self.bin / "kept"
        program.rename(kept)
        shutil.copy(OPTIONS.fake, program)
        os.utime(program, ns=(1, 1))
        self.assertEqual(self.run_placid("check", "a.py").returncode, 0)
        old = self.runtime / "placid"
        self.wait_for(lambda: len(list(old.glob("*.sock"))) == 1, "the earlier build still takes clients")
        kept.rename(program)
        self.assertEqual(self.run_placid("check", "a.py").returncode, 0)
        self.assertNotEqual(self.status()["pid"], first)
        self.assertTrue(alive(first))
        editor.open("ERR\n")
        self.assertEqual(len(editor.published(1)), 1)

    def test_strangers_are_turned_away(self):
        self.write("a.py", "\n")
        self.run_placid("check", "a.py")
        path = self.status()["socket"]
        for data in (b"GET / HTTP/1.1\r\n\r\n", frame({"id": 1, "method": "initialize", "params": {}}), b"\0" * 70000,
                     frame({"id": 1, "method": "placid/hello", "params": {"protocol": {"min": 99, "max": 99}, "role": "lsp"}}),
                     frame({"id": 1, "method": "placid/hello", "params": {"protocol": {"min": 1, "max": 1}, "role": "root"}})):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(20)
                client.connect(path)
                client.sendall(data)
                answer = b""
                try:
                    while chunk := client.recv(65536):
                        answer += chunk
                except ConnectionResetError:
                    pass
                self.assertNotIn(b'"result"', answer)
        self.assertEqual(self.run_placid("check", "a.py").returncode, 0)

    @unittest.skipIf("SANITIZED" in os.environ, "a sanitizer reports crashes itself")
    def test_a_crash_costs_its_file_alone(self):
        self.write("k/a.py", "import pypto ERR\n")
        self.write("k/b.py", "import pypto CRASH\n")
        self.write("k/c.py", "import pypto ERR\n")
        done = self.run_placid("check", "--format", "json", "k")
        self.assertEqual(done.returncode, 3, done.stderr)
        codes = [json.loads(line).get("code") for line in done.stdout.splitlines()]
        self.assertEqual(codes, ["PL2001", "PL9000", "PL2001", None])
        self.assertIn("reproducer", done.stderr)

    def test_a_hang_ends_and_others_do_not_wait(self):
        editor = Editor(self)
        editor.initialize()
        hung = threading.Thread(target=lambda: self.run_placid("check", "h.py"))
        self.write("h.py", "HANG\n")
        hung.start()
        for version in range(1, 20):
            (editor.open if version == 1 else editor.replace)("ERR\n", version=version)
            self.assertEqual(editor.published(version), ["PL2001"])
        self.run_placid("stop")
        hung.join(60)

    def test_a_killed_worker_is_not_noticed(self):
        editor = Editor(self)
        editor.initialize()
        editor.open("ERR\n")
        self.assertEqual(editor.published(1), ["PL2001"])
        for version in range(2, 22):
            for worker in self.status()["workers"]:
                if worker["pid"] > 0:
                    try:
                        os.kill(worker["pid"], signal.SIGKILL)
                    except ProcessLookupError:
                        pass  # the other lane's, since the last round
            editor.replace("ERR\n" * version, version)
            self.assertEqual(editor.published(version), ["PL2001"] * version)

    def test_a_killed_daemon_is_not_noticed(self):
        editor = Editor(self)
        editor.initialize()
        editor.open("ERR\n")
        self.assertEqual(editor.published(1), ["PL2001"])
        editor.notify("textDocument/didChange", {"textDocument": {"uri": "file:///a.py", "version": 2}, "contentChanges": [
            {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 3}}, "text": " \U0001F600 ERR"}]})
        self.assertEqual(editor.published(2), ["PL2001"] * 2)
        for version in range(3, 6):
            os.kill(self.status()["pid"], signal.SIGKILL)
            # The new daemon tells what it finds; then everything goes on.
            self.assertEqual(editor.published(version - 1), ["PL2001"] * (version - 1))
            editor.notify("textDocument/didChange", {"textDocument": {"uri": "file:///a.py", "version": version}, "contentChanges": [
                {"range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 6}}, "text": " ERR"}]})
            self.assertEqual(editor.published(version), ["PL2001"] * version)
            self.assertIsNone(editor.request("textDocument/hover", {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}})["result"])
        editor.request("shutdown")
        editor.notify("exit", None)
        self.assertEqual(editor.process.wait(20), 0)

    def test_settled(self):
        editor = Editor(self)
        editor.initialize()
        editor.open("ERR\n")
        for version in range(2, 30):
            editor.replace("ERR\n" * version, version)
        seen = []
        editor.id += 1
        editor.process.stdin.write(frame({"id": editor.id, "method": "placid/settled", "params": {"textDocument": {"uri": "file:///a.py"}}}))
        editor.process.stdin.flush()
        while (message := read_message(editor.process.stdout)).get("id") != editor.id:
            seen.append(message["params"]["version"])
        self.assertEqual(message["result"], {"uri": "file:///a.py", "version": 29})
        self.assertEqual(seen[-1], 29)
        self.assertEqual(editor.request("placid/settled", {"textDocument": {"uri": "file:///b.py"}})["error"]["code"], -32602)

    def test_cancels_are_read_however_much_waits(self):
        editor = Editor(self)
        editor.initialize()
        editor.open("HANG\n")
        ask = {"method": "placid/settled", "params": {"textDocument": {"uri": "file:///a.py"}}}
        editor.process.stdin.write(b"".join(frame({"id": number, **ask}) for number in range(1000, 1600)))
        cancels = b"".join(frame({"method": "$/cancelRequest", "params": {"id": number}}) for number in range(1000, 1600))
        editor.process.stdin.write(cancels)
        editor.process.stdin.flush()
        codes = []
        while len(codes) < 600:
            message = read_message(editor.process.stdout)
            if message.get("id", 0) in range(1000, 1600):
                codes.append(message["error"]["code"] if "error" in message else "waited for the check")
        self.assertEqual(codes, [-32800] * 600)

    def test_settings_that_are_a_pipe_hold_nobody_up(self):
        os.mkfifo(self.folder / "placid.toml")
        editor = Editor(self)
        editor.initialize()
        editor.open("ERR\n", uri=(self.folder / "a.py").as_uri())
        self.assertEqual(editor.published(1), ["PL2001"])
        self.write("k.py", "import pypto ERR\n")
        self.assertEqual(self.run_placid("check", "k.py").returncode, 1)
        self.assertTrue(self.status()["running"])

    def test_an_edit_too_long_to_be_read_loses_no_truth(self):
        editor = Editor(self)
        editor.initialize()
        editor.open("ERR\n")
        self.assertEqual(editor.published(1), ["PL2001"])
        editor.replace(" " * (65 << 20), 2)
        self.assertEqual(editor.read()["error"]["code"], -32600)
        self.assertEqual(editor.read()["params"]["diagnostics"], [])
        self.assertEqual(editor.read()["method"], "placid/resync")
        self.assertEqual(editor.read()["method"], "window/showMessage")
        os.kill(self.status()["pid"], signal.SIGKILL)
        editor.replace("ERR ERR\n", 3)
        self.assertEqual(editor.published(3), ["PL2001"] * 2)

    def test_an_editor_that_dies_leaves_nothing(self):
        pid = None
        for _ in range(5):
            editor = Editor(self)
            editor.initialize()
            editor.open("ERR\n")
            editor.published(1)
            pid = self.status()["pid"]
            editor.process.kill()
            editor.process.wait()
        self.wait_for(lambda: all(s["role"] == "admin" for s in self.status()["sessions"]), "a session is left")
        os.kill(pid, signal.SIGKILL)
        self.wait_for(lambda: not self.processes(), "a process is left")

    def processes(self):
        """Of this test's own programs."""
        out = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "exe").startswith(str(self.bin)) and alive(entry.name):
                    out.append(entry.name)
            except OSError:
                pass
        return out

    def test_readers_that_leave_and_full_disks(self):
        self.write("bad.py", "ERR\n" * 20000)
        process = subprocess.Popen([str(self.placid), "check", "bad.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, env=self.env)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(60), 1)
        self.write("good.py", "")
        with open("/dev/full", "w") as full:
            done = subprocess.run([str(self.placid), "check", "good.py"], stdout=full, cwd=self.folder, env=self.env, timeout=60)
        self.assertEqual(done.returncode, 2)

    def test_watch(self):
        for flags in ((), ("--no-daemon",)):
            self.write("w/a.py", "import pypto\n")
            process = subprocess.Popen([str(self.placid), "check", "--watch", *flags, "w"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       text=True, cwd=self.folder, env=self.env)

            def until(expected):
                # A file that is being written may be checked more than once.
                for line in process.stdout:
                    if line.startswith(f"placid: build finished, {expected} warnings in "):
                        return
                self.fail(f"no {expected!r}: {process.stderr.read()}")

            until("0 errors, 0")
            self.write("w/a.py", "import pypto ERR\n")
            until("1 errors, 0")
            self.write("w/b.py", "import pypto ERR WARN\n")
            until("2 errors, 1")
            (self.folder / "w/a.py").unlink()
            until("1 errors, 1")
            (self.folder / "w/b.py").unlink()
            until("0 errors, 0")
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
        self.wait_for(lambda: self.status()["commands"]["running"] == 0, "a command of a dead client goes on")
        self.assertEqual(self.run_placid("check", "--watch").returncode, 2)

    def test_wrong_arguments_of_lsp(self):
        for args in (("--arch", "a9"), ("file.py",), ("--nope",)):
            with_daemon = self.run_placid("lsp", *args, stdin=subprocess.DEVNULL)
            without = self.run_placid("lsp", "--no-daemon", *args, stdin=subprocess.DEVNULL)
            self.assertEqual((with_daemon.returncode, with_daemon.stderr), (without.returncode, without.stderr))
            self.assertEqual(with_daemon.returncode, 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--placid", required=True)
    parser.add_argument("--fake", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=["test_daemon.py", *rest])
