#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The client program and the process around a command, from outside: exit codes, streams, finding the server, crashes,
memory under hostile input. Runs `placid` beside a link to the test double, so no compiler is needed."""
import argparse
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lsp"))
from traffic import Traffic  # noqa: E402

OPTIONS = None


def frame(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


INITIALIZE = frame({"id": 1, "method": "initialize", "params": {}})


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.placid = self.bin / "placid"
        shutil.copy(OPTIONS.placid, self.placid)
        shutil.copy(OPTIONS.fake, self.bin / "placidd")

    def run_placid(self, *args, **kwargs):
        env = {**os.environ, "TMPDIR": str(self.folder), **kwargs.pop("env", {})}
        # Commands in processes of their own; tests/daemon has the daemon.
        alone = ["--no-daemon"] if args[:1] in (("check",), ("lsp",)) else []
        return subprocess.run([str(self.placid), *alone, *args], capture_output=True, text=True, cwd=self.folder, env=env, timeout=60, **kwargs)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def test_help_and_version(self):
        done = self.run_placid("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("check", "inspect", "lsp", "doctor", "--no-daemon"):
            self.assertIn(word, done.stdout)
        self.assertRegex(self.run_placid("--version").stdout, r"^placid \d+\.\d+\.\d+\n$")
        self.assertIn("--arch", self.run_placid("check", "--help").stdout)

    def test_usage_errors(self):
        for args in ((), ("nope",), ("--nope",), ("check",), ("check", "--nope", "x"), ("status", "x"), ("stop", "x"), ("serve", "x"),
                     ("doctor", "x"), ("config",), ("lsp", "file.py"), ("lsp", "--arch", "a9")):
            done = self.run_placid(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertEqual(done.stdout, "", args)
            self.assertIn("placid", done.stderr, args)

    def test_exit_codes_and_no_daemon(self):
        self.write("good.py", "import pypto\n")
        self.write("bad.py", "ERR\n")
        self.assertEqual(self.run_placid("check", "good.py").returncode, 0)
        bad = self.run_placid("check", "--format", "json", "bad.py")
        self.assertEqual(bad.returncode, 1)
        self.assertEqual(self.run_placid("check", "--no-daemon", "--format", "json", "bad.py").stdout, bad.stdout)
        self.assertEqual(self.run_placid("--no-daemon", "check", "--format", "json", "bad.py").stdout, bad.stdout)
        self.assertEqual(self.run_placid("check", "missing.py").returncode, 2)

    def test_doctor(self):
        tools = self.folder / "tools"
        tools.mkdir()
        nothing = self.run_placid("doctor", env={"PATH": "/nowhere", "PTOAS_ROOT": ""})
        self.assertEqual(nothing.returncode, 0)
        self.assertRegex(nothing.stdout, r"(?m)^ptoas +missing: ")
        (tools / "ptoas").write_text("#!/bin/sh\n")
        (tools / "ptoas").chmod(0o755)
        found = self.run_placid("doctor", env={"PATH": str(tools), "PTOAS_ROOT": ""})
        self.assertRegex(found.stdout, rf"(?m)^ptoas +{tools}/ptoas$")
        elsewhere = self.run_placid("doctor", env={"PATH": str(tools), "PTOAS_ROOT": "/nowhere"})
        self.assertRegex(elsewhere.stdout, r"(?m)^ptoas +missing: ", "with PTOAS_ROOT only what is below it counts")

    def test_server_not_found(self):
        (self.bin / "placidd").unlink()
        done = self.run_placid("explain", "PL3105", env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(done.returncode, 4)
        self.assertIn("placidd", done.stderr)
        other = self.folder / "elsewhere"
        other.mkdir()
        shutil.copy(OPTIONS.fake, other / "placidd")
        self.assertEqual(self.run_placid("explain", "PL3105", env={"PATH": f"/usr/bin:{other}"}).returncode, 0)

    def test_found_through_a_link(self):
        link = self.folder / "link"
        link.symlink_to(self.placid)
        done = subprocess.run([str(link), "explain", "PL3105"], capture_output=True, env={"PATH": "/nowhere"}, timeout=60)
        self.assertEqual(done.returncode, 0)

    def test_a_pipe_that_closes_early(self):
        self.write("bad.py", "ERR\n" * 20000)
        process = subprocess.Popen([str(self.placid), "check", "--no-daemon", "bad.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        process.stdout.read(10)
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(60), 1)

    def test_a_full_disk(self):
        self.write("good.py", "")
        with open("/dev/full", "w") as full:
            done = subprocess.run([str(self.placid), "check", "--no-daemon", "good.py"], stdout=full, cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 2)

    @unittest.skipIf("SANITIZED" in os.environ, "a sanitizer reports crashes itself")
    def test_crashes_leave_a_reproducer(self):
        for word in ("CRASH", "OVERFLOW"):
            self.write("c.py", word + "\n")
            done = self.run_placid("check", "c.py")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("on c.py", done.stderr)
            path = done.stderr.split("reproducer: ")[1].split("\n")[0]
            self.assertEqual(pathlib.Path(path).read_text(), word + "\n")
            os.unlink(path)

    @unittest.skipIf("SANITIZED" in os.environ, "a sanitizer reports crashes itself")
    def test_a_crash_on_the_compile_thread(self):
        text = {"textDocument": {"uri": "file:///c.py", "version": 1, "text": "OVERFLOW"}}
        done = subprocess.run([str(self.placid), "lsp", "--no-daemon"], input=INITIALIZE + frame({"method": "textDocument/didOpen", "params": text}),
                              capture_output=True, timeout=60, env={**os.environ, "TMPDIR": str(self.folder)}, stdin=None)
        # The input ends, so the server may win the race and end by itself; it must not hang or die by a signal.
        self.assertIn(done.returncode, (1, 3))

    def start_lsp(self, *args):
        process = subprocess.Popen([str(self.placid), "lsp", "--no-daemon", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    @staticmethod
    def read_message(process):
        length = int(process.stdout.readline().split(b":")[1])
        process.stdout.readline()
        message = json.loads(process.stdout.read(length))
        traffic = Traffic()
        traffic.sent({"id": 1, "method": "initialize"})  # nothing else is asked here
        traffic.received(message)
        return message

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start_lsp()
            process.stdin.write(INITIALIZE)
            process.stdin.flush()
            self.read_message(process)
            process.send_signal(number)
            self.assertEqual(process.wait(20), 128 + number)
            process.stdin.close()

    def test_an_editor_that_dies(self):
        editor = subprocess.Popen(["sleep", "1000"])
        process = self.start_lsp()
        process.stdin.write(frame({"id": 1, "method": "initialize", "params": {"processId": editor.pid}}))
        process.stdin.flush()
        self.read_message(process)
        editor.kill()
        editor.wait()
        self.assertEqual(process.wait(20), 1)
        process.stdin.close()

    @unittest.skipIf("SANITIZED" in os.environ, "sanitizers use memory of their own")
    def test_memory_under_hostile_input(self):
        for data in (b"Content-Length: 1073741824\r\n\r\n", b"x" * 1000 + b"y", b"Content-Length: 67108864\r\n\r\n"):
            process = self.start_lsp()
            process.stdin.write(INITIALIZE)
            process.stdin.flush()
            self.read_message(process)
            before = self.rss(process.pid)
            taken = self.bytes_read(process.pid)
            try:
                process.stdin.write(data)
                if data[:1] == b"x":
                    for _ in range(50):
                        process.stdin.write(b"x" * (1 << 20))
                process.stdin.flush()
            except BrokenPipeError:
                pass
            # The server has taken the bytes, or has ended because of them.
            while process.poll() is None and self.bytes_read(process.pid) < taken + len(data):
                pass
            if process.poll() is None:
                # A megabyte may wait between the reading thread and the parsing one; what was announced may not.
                self.assertLess(self.rss(process.pid) - before, 8192)
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
            self.assertEqual(process.wait(20), 1)

    @staticmethod
    def rss(pid):
        try:
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    return int(line.split()[1])
        except OSError:
            pass
        return 0  # ended

    @staticmethod
    def bytes_read(pid):
        try:
            return int(pathlib.Path(f"/proc/{pid}/io").read_text().split()[1])
        except OSError:
            return sys.maxsize

    def test_the_client_is_small(self):
        libraries = subprocess.run(["ldd", OPTIONS.placid], capture_output=True, text=True).stdout
        self.assertNotIn("LLVM", libraries)
        self.assertNotIn("MLIR", libraries)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--placid", required=True)
    parser.add_argument("--fake", required=True)
    OPTIONS, rest = parser.parse_known_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main(argv=[sys.argv[0], *rest])
