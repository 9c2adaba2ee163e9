#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`placid build` through the tools, from outside: the programs of tests/toolchain/fake stand in for ptoas and the C++
compilers at the process seam, check what they are given and fail in each way that tools do.

    test_builds.py --placid build/release/bin/placid
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "nz_matmul.py"
OPTIONS = None


def trace_faults(trace):
    """What of the Trace Event Format, as Chrome and Perfetto read it, is not kept: empty when it is good."""
    faults = []
    if set(trace) != {"displayTimeUnit", "traceEvents"} or trace["displayTimeUnit"] not in ("ms", "ns"):
        faults.append("not the object that it is")
    named, rows = set(), {}
    for event in trace["traceEvents"]:
        whole = [event.get(name) for name in ("pid", "tid") if not (event["ph"] == "M" and event["name"] == "process_name" and name == "tid")]
        if not all(isinstance(number, int) for number in whole) or not isinstance(event.get("name"), str):
            faults.append(f"no names or numbers: {event}")
        elif event["ph"] == "M":
            if event["name"] not in ("process_name", "thread_name") or not isinstance(event["args"].get("name"), str):
                faults.append(f"unknown metadata: {event}")
            named.add(event.get("tid"))
        elif event["ph"] != "X" or not isinstance(event.get("cat"), str) or not isinstance(event.get("args"), dict):
            faults.append(f"no complete event: {event}")
        elif not all(isinstance(event.get(name), int) and event[name] >= 0 for name in ("ts", "dur")) or event["dur"] == 0:
            faults.append(f"no time: {event}")
        else:
            rows.setdefault(event["tid"], []).append((event["ts"], -event["dur"], event["name"]))
    for row, bars in rows.items():
        if row not in named:
            faults.append(f"row {row} has no name")
        around = []  # the ends of the bars that are open: one bar is inside another, or beside it
        for begin, length, name in sorted(bars):
            while around and around[-1] <= begin:
                around.pop()
            if around and around[-1] < begin - length:
                faults.append(f"{name} in row {row} ends after what it lies in")
            around.append(begin - length)
    return faults


class Builds(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-builds-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = self.folder / "log"
        self.source = self.folder / "k.py"
        self.source.write_text(EXAMPLE.read_text())
        self.tool("ptoas/bin/ptoas", "ptoas")
        self.tool("host/clang++-29", "cxx")
        self.tool("cann/bin/ccec", "cxx")
        (self.folder / "isa/include/pto").mkdir(parents=True)
        (self.folder / "isa/include/pto/pto-inst.hpp").write_text("// headers\n")
        self.env = {
            **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")},
            "PATH": f"{self.folder}/host:/usr/bin:/bin", "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache"),
            "XDG_RUNTIME_DIR": str(self.folder), "PLACID_IDLE_SECONDS": "3", "PTOAS_ROOT": str(self.folder / "ptoas"),
            "PTO_ISA_ROOT": str(self.folder / "isa"), "ASCEND_HOME_PATH": str(self.folder / "cann"),
        }  # fmt: skip

    def tool(self, where, what):
        path = self.folder / where
        path.parent.mkdir(parents=True)
        shutil.copy(HERE / "fake" / what, path)
        (path.parent / "log").write_text(str(self.log))

    def behave(self, where, how):
        (self.folder / where / "behaviour").write_text(how)

    def build(self, *words, daemon=False, env=None, **kwargs):
        command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--out", "out", *words, "k.py"]
        return subprocess.run(command, cwd=self.folder, env={**self.env, **(env or {})}, capture_output=True, text=True, timeout=100, **kwargs)

    def ran(self):
        """Steps that were run since the last question, without the questions for a version."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        kinds = [re.match(r"ptoas|.*-shared|", line) and ("ptoas" if line.startswith("ptoas") else "link" if "-shared" in line else "compile") for line in lines if "--version" not in line]
        return sorted(kinds)

    def files(self):
        out = self.folder / "out"
        return sorted(path.name for path in out.iterdir()) if out.exists() else []

    def line_of(self, text):
        return next(i for i, line in enumerate(self.source.read_text().splitlines(), 1) if text in line)

    def test_host_build_and_what_is_known(self):
        done = self.build("--toolchain", "cpu-sim")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "wrote 1 kernel and manifest.json to out\n")
        self.assertEqual(self.files(), ["manifest.json", "matmul.cpp", "matmul.o", "matmul.pto", "matmul.so"])
        self.assertEqual(self.ran(), ["compile", "link", "ptoas"])
        kernel = json.loads((self.folder / "out/manifest.json").read_text())["kernels"][0]
        self.assertEqual([file["path"] for file in kernel["files"]], ["matmul.cpp", "matmul.o", "matmul.so"])
        before = {name: (self.folder / "out" / name).read_bytes() for name in self.files()}
        shutil.rmtree(self.folder / "out")
        again = self.build("--toolchain", "cpu-sim")
        self.assertEqual((again.returncode, self.ran()), (0, []))
        self.assertEqual({name: (self.folder / "out" / name).read_bytes() for name in self.files()}, before)
        shutil.rmtree(self.folder / "out")
        by_daemon = self.build("--toolchain", "cpu-sim", daemon=True)
        self.assertEqual((by_daemon.returncode, by_daemon.stdout, by_daemon.stderr, self.ran()), (0, again.stdout, again.stderr, []))
        self.assertEqual({name: (self.folder / "out" / name).read_bytes() for name in self.files()}, before)

    def test_device_build(self):
        done = self.build("--until", "link")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(), ["manifest.json", "matmul.cpp", "matmul.o", "matmul.pto"])
        self.assertEqual(self.ran(), ["compile", "ptoas"])
        self.assertEqual(self.build("--toolchain", "cann-a5").returncode, 2)
        self.assertEqual(self.build("--toolchain", "cann-a4").returncode, 2)

    def test_a_mixed_kernel(self):
        """One unit, one C++ file, and of each core an object."""
        self.source.write_text((HERE.parent / "cases/mixed/sum_after_product.py").read_text())
        done = self.build("--until", "link", "--toolchain", "cpu-sim")
        self.assertEqual(done.returncode, 0, done.stderr)
        kernel = json.loads((self.folder / "out/manifest.json").read_text())["kernels"][0]
        name = kernel["name"]
        self.assertEqual([file["path"] for file in kernel["files"]], [name + end for end in (".cpp", ".aic.o", ".aic.so", ".aiv.o", ".aiv.so")])
        self.assertEqual(kernel["coreType"], "mixed")
        self.assertEqual(self.ran(), ["compile", "compile", "link", "link", "ptoas"])
        text = (self.folder / "out" / (name + ".cpp")).read_text()
        for core, macro in (("aic", "CUBE"), ("aiv", "VEC")):
            self.assertRegex(text, rf"#if defined\(__DAV_{macro}__\)\n//.*\nextern \"C\".*kernel_entry.*\n  {kernel['functions'][core]}\(")
        self.assertEqual(self.build("--until", "object").returncode, 0)
        self.assertEqual(self.files(), sorted(["manifest.json"] + [name + end for end in (".pto", ".cpp", ".aic.o", ".aic.so", ".aiv.o", ".aiv.so")]))
        self.behave("cann/bin", "error")
        self.source.write_text(self.source.read_text() + "\n\n")
        shutil.rmtree(self.folder / "cache")
        self.ran()
        done = self.build("--until", "object")
        self.assertEqual((done.returncode, self.ran()), (1, ["compile", "compile", "ptoas"]), "what either refuses is told")
        self.assertIn("error[PL7003]", done.stderr)

    def test_names_that_meet(self):
        """The cube half of one kernel and another kernel: nothing is written that is not what the manifest says."""
        text = (HERE.parent / "cases/mixed/sum_after_product.py").read_text()
        self.source.write_text(text.replace("kern", "A").replace("class Mixed", "class X"))
        vector = (
            "import pypto.language as pl\n\n\n@pl.program\nclass {0}:\n    @pl.function(type=pl.FunctionType.InCore)\n"
            "    def aic(self, a: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]) -> pl.Tensor[[16, 64], pl.FP32]:\n"
            "        out = pl.store(pl.mul(pl.load(a, [0, 0], [16, 64]), 2.0), [0, 0], out)\n        return out\n\n"
            "    @pl.function(type=pl.FunctionType.Orchestration)\n"
            "    def main(self, a: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]) -> pl.Tensor[[16, 64], pl.FP32]:\n"
            "        out = self.aic(a, out)\n        return out\n"
        )
        for name in ("A", "B"):
            (self.folder / f"{name.lower()}.py").write_text(vector.format(name))
        done = self.build("--toolchain", "cpu-sim", "a.py", "b.py")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("placid: `A.aic.o` would be written for ", done.stderr)
        self.assertEqual(self.files(), [])
        done = self.build("--until", "cpp", "a.py", "b.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess({"A.cpp", "A.aic.cpp", "B.aic.cpp"}, set(self.files()))

    def test_until_pl(self):
        done = self.build("--until", "pl", env={"PTOAS_ROOT": "/nowhere"})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "wrote 1 kernel and manifest.json to out\n", ""))
        kernel = json.loads((self.folder / "out/manifest.json").read_text())["kernels"][0]
        self.assertEqual(self.files(), ["NzMatmul.matmul.mlir", "manifest.json"])
        self.assertEqual(kernel, {"name": "NzMatmul.matmul", "entry": "NzMatmul.matmul", "source": "k.py", "pl": "NzMatmul.matmul.mlir"})
        lines = self.events(self.build("--until", "pl", "--events", "-").stdout)
        self.assertEqual([line["type"] for line in lines], ["buildStarted", "fileLowered", "kernelQueued", "kernelStarted", "artifact", "kernelFinished", "buildFinished"])
        text = (self.folder / "out/NzMatmul.matmul.mlir").read_text()
        self.assertIn("pl.tile.matmul", text)
        self.assertNotIn("pto.", text)
        self.source.write_text(EXAMPLE.read_text().replace("[256, 512], target", "[256, 513], target"))
        done = self.build("--until", "pl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("placid: nothing was written\n", done.stderr)
        self.assertIn("error[PL", done.stderr)

    def test_a_trace(self):
        done = self.build("--toolchain", "cpu-sim", "--trace", "trace.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = json.loads((self.folder / "trace.json").read_text())
        self.assertEqual(trace_faults(trace), [])
        bars = {event["name"]: event for event in trace["traceEvents"] if event["ph"] == "X"}
        crossing = {**bars["link"], "dur": bars["matmul"]["dur"] + 10}
        for broken in ({**bars["ptoas"], "ts": -1}, {**bars["ptoas"], "ph": "B"}, {**bars["ptoas"], "tid": 77}, crossing, {"ph": "X", "name": "x"}):
            self.assertEqual(len(trace_faults({**trace, "traceEvents": [*trace["traceEvents"], broken]})), 1, broken)
        self.assertLessEqual({"build", "lower k.py", "matmul", "ptoas", "compile", "link"}, set(bars))
        self.assertEqual(bars["matmul"]["args"], {"status": "succeeded", "toolchain": "cpu-sim"})
        ends = [bars[name]["ts"] + bars[name]["dur"] for name in ("ptoas", "compile", "link", "matmul", "build")]
        self.assertEqual(ends, sorted(ends))
        self.behave("ptoas/bin", "error")
        self.assertEqual(self.build("--until", "cpp", "--trace", "trace.json").returncode, 1)
        self.assertIn('"status":"failed"', (self.folder / "trace.json").read_text(), "also of what has failed")
        self.assertEqual(trace_faults(json.loads((self.folder / "trace.json").read_text())), [])
        self.behave("ptoas/bin", "good")
        done = self.build("--until", "cpp", "--trace", "/nowhere/trace.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere/trace.json", done.stderr)

    def on_terminal(self, *words, daemon=False, **env):
        """What a build writes to a terminal of 70 columns that standard error is."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 70, 0, 0))
        command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--out", "out", *words, "k.py"]
        child = subprocess.Popen(command, cwd=self.folder, env={**self.env, "TERM": "xterm", **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # nobody has it open any more
                break
            if not part:
                break
            said += part
        os.close(ours)
        self.assertEqual(child.communicate(timeout=100)[0], b"wrote 1 kernel and manifest.json to out\n")
        self.assertEqual(child.returncode, 0)
        return said.decode()

    def test_progress_on_a_terminal(self):
        for daemon in (False, True):
            said = self.on_terminal("--until", "cpp", daemon=daemon)
            self.assertIn("\x1b[1mbuilding\x1b[0m [", said)
            self.assertRegex(said, r"\] \d/1 kernels")
            self.assertTrue(said.endswith("\r\x1b[K"), "nothing is left")
            plain = re.sub("\x1b\\[\\d*[mK]", "", said).split("\r")
            self.assertLess(max(len(line) for line in plain), 70)
        said = self.on_terminal("--until", "cpp", NO_COLOR="1")
        self.assertIn("\r\x1b[Kbuilding [", said)
        self.assertNotIn("\x1b[1m", said)
        self.assertEqual(self.on_terminal("--until", "cpp", TERM="dumb"), "")
        self.assertEqual(self.build("--until", "cpp").stderr, "", "and none where nobody looks")

    def test_interrupted_on_a_terminal(self):
        """The daemon cannot take the line away any more: the client does."""
        self.behave("ptoas/bin", "hang")
        for number in (signal.SIGINT, signal.SIGTERM):
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 70, 0, 0))
            command = [OPTIONS.placid, "build", "--until", "cpp", "--out", "out", "k.py"]
            child = subprocess.Popen(command, cwd=self.folder, env={**self.env, "TERM": "xterm"}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            said, sent = b"", False
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:
                    break
                if not part:
                    break
                said += part
                if b"/1 kernels" in said and not sent:
                    child.send_signal(number)
                    sent = True
            os.close(ours)
            self.assertEqual(child.wait(60), -number)
            self.assertTrue(said.endswith(b"\r\x1b[K"), said)

    def test_in_an_editor(self):
        """`placid.build` through the daemon: what a tool refuses is a diagnostic of the document until an edit."""
        self.behave("ptoas/bin", "syntax")
        # Who has started the daemon has no tools: the editor's are meant.
        bare = {**self.env, "PTOAS_ROOT": "/nowhere"}
        subprocess.run([OPTIONS.placid, "check", "k.py"], cwd=self.folder, env=bare, check=True, stdout=subprocess.DEVNULL, timeout=100)
        editor = subprocess.Popen([OPTIONS.placid, "lsp"], cwd=self.folder, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        uri, heard = self.source.as_uri(), []

        def say(**message):
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            editor.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            editor.stdin.flush()

        def until(wanted):
            while True:
                length = 0
                while line := editor.stdout.readline().strip():
                    length = int(line.rpartition(b":")[2]) if line.lower().startswith(b"content-length") else length
                self.assertTrue(length, "the server has ended")
                heard.append(json.loads(editor.stdout.read(length)))
                if wanted(heard[-1]):
                    return heard[-1]

        try:
            say(id=1, method="initialize", params={"processId": os.getpid(), "rootUri": self.folder.as_uri(), "workspaceFolders": [{"uri": self.folder.as_uri(), "name": "w"}],
                                                   "capabilities": {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}})  # fmt: skip
            self.assertEqual(until(lambda m: m.get("id") == 1)["result"]["capabilities"]["executeCommandProvider"]["commands"], ["placid.build"])
            say(method="initialized", params={})
            say(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": self.source.read_text()}})
            say(id=2, method="workspace/executeCommand", params={"command": "placid.build", "arguments": [uri, "--until=cpp", "--out=out"], "workDoneToken": "t"})
            answer = until(lambda m: m.get("id") == 2)
            self.assertEqual((answer["result"]["status"], answer["result"]["exitCode"]), ("failed", 1), answer)
            told = [m["params"]["diagnostics"] for m in heard if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri][-1]
            self.assertEqual([(one["source"], one["code"], one["range"]["start"]["line"]) for one in told], [("ptoas", "PL7001", self.line_of("pl.store") - 1)])
            self.assertEqual(told[0]["relatedInformation"][0]["location"]["uri"], (self.folder / "out/matmul.pto").as_uri())
            kinds = [m["params"]["value"]["kind"] for m in heard if m.get("method") == "$/progress"]
            self.assertEqual((kinds[0], kinds[-1]), ("begin", "end"))
            say(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": self.source.read_text() + "\n"}]})
            until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"].get("version") == 2 and not m["params"]["diagnostics"])
            say(id=3, method="workspace/executeCommand", params={"command": "placid.build", "arguments": [uri]})
            self.assertIn("save", until(lambda m: m.get("id") == 3)["error"]["message"])
            self.source.write_text(self.source.read_text() + "\n")
            say(method="textDocument/didSave", params={"textDocument": {"uri": uri}})
            self.behave("ptoas/bin", "good")
            say(id=4, method="workspace/executeCommand", params={"command": "placid.build", "arguments": [uri, "--until=cpp", "--out=out"]})
            self.assertEqual(until(lambda m: m.get("id") == 4)["result"]["status"], "succeeded")
            self.assertTrue((self.folder / "out/matmul.cpp").exists())
            # Ended by the client: so are its tools.
            self.behave("ptoas/bin", "hang")
            self.source.write_text(self.source.read_text().replace("def matmul", "def matmul2"))
            say(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": self.source.read_text()}]})
            say(id=5, method="workspace/executeCommand", params={"command": "placid.build", "arguments": [uri, "--until=cpp", "--out=out"]})
            deadline = time.monotonic() + 60
            while not self.running() and time.monotonic() < deadline:
                time.sleep(0.02)
            say(method="$/cancelRequest", params={"id": 5})
            self.assertEqual(until(lambda m: m.get("id") == 5)["error"]["code"], -32800)
            deadline = time.monotonic() + 60
            while self.running() and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertEqual(self.running(), [])
            say(id=6, method="shutdown")
            until(lambda m: m.get("id") == 6)
            say(method="exit")
        finally:
            editor.stdin.close()
            editor.stdout.close()
            editor.wait(60)

    def test_an_editor_that_leaves(self):
        """Its build ends with it, and nobody else's daemon does."""
        self.behave("ptoas/bin", "hang")
        for leave in (lambda one: one.kill(), lambda one: one.stdin.close()):
            editor = subprocess.Popen([OPTIONS.placid, "lsp"], cwd=self.folder, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                for message in (
                    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
                    {"method": "initialized", "params": {}},
                    {"id": 2, "method": "workspace/executeCommand", "params": {"command": "placid.build", "arguments": [self.source.as_uri(), "--until=cpp"]}},
                ):
                    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                    editor.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                    editor.stdin.flush()
                self.soon(lambda: self.running())
                leave(editor)
                self.soon(lambda: not self.running())
            finally:
                editor.kill()
                editor.wait()
                editor.stdin.close()
                editor.stdout.close()
        self.behave("ptoas/bin", "good")
        self.assertEqual(self.build("--until", "cpp", daemon=True).returncode, 0)

    def soon(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_the_last_line_is_the_end(self):
        for words, status, code in ((["--until", "cpp"], "succeeded", 0), (["--until", "nope"], "failed", 2), (["missing.py"], "failed", 2), (["--arch", "a5", "--toolchain", "cann-a3"], "failed", 2)):
            done = self.build("--events", "events", *words)
            self.assertEqual(done.returncode, code, done.stderr)
            lines = [json.loads(line) for line in (self.folder / "events").read_text().splitlines()]
            self.assertEqual((lines[-1]["type"], lines[-1]["status"], lines[-1]["exitCode"]), ("buildFinished", status, code), words)
            self.assertEqual([line["seq"] for line in lines], list(range(len(lines))))

    def test_stages(self):
        for stage, ran in (("pto", []), ("cpp", ["ptoas"]), ("object", ["compile"]), ("link", ["link"])):
            done = self.build("--until", stage, "--toolchain", "cpu-sim")
            self.assertEqual((done.returncode, self.ran()), (0, ran), stage)
        for words, env in (*((["--until", stage], {}) for stage in ("pl", "pto", "cpp", "object", "link")), ([], {"PTOAS_ROOT": "/nowhere"})):
            done = self.build(*words, "--toolchain", "cpu-sim", "--events", "-", env=env) if words else self.build("--events", "-", env=env)
            last = self.events(done.stdout)[-1]
            self.assertEqual((last["status"], last["kernels"], last["built"]), ("succeeded", 1, 1), (words, done.stderr))

    def test_without_tools(self):
        bare = {"PTOAS_ROOT": "/nowhere", "PTO_ISA_ROOT": "", "ASCEND_HOME_PATH": ""}
        done = self.build(env=bare)
        self.assertEqual(done.returncode, 0)
        self.assertIn("placid: stopped after pto: ptoas: PTOAS_ROOT is /nowhere", done.stderr)
        self.assertEqual(self.files(), ["manifest.json", "matmul.pto"])
        done = self.build(env={**bare, "PTOAS_ROOT": self.env["PTOAS_ROOT"]})
        self.assertIn("placid: stopped after cpp: ", done.stderr)
        for words in (("--until", "object"), ("--toolchain", "cpu-sim")):
            done = self.build(*words, env=bare)
            self.assertEqual(done.returncode, 2, "what was asked for is not skipped")
            self.assertIn("cannot be reached", done.stderr)

    def test_planners(self):
        """One source, two texts: each is assembled at its level and remembered apart, and what it is stands in the manifest."""
        for planner in ("placid", "ptoas"):
            done = self.build("--until", "cpp", "--planner", planner)
            self.assertEqual((done.returncode, self.ran()), (0, ["ptoas"]), done.stderr)
            kernel = json.loads((self.folder / "out/manifest.json").read_text())["kernels"][0]
            self.assertEqual((kernel["planner"], bool(kernel["memory"])), (planner, planner == "placid"))
            self.assertEqual(" addr = " in (self.folder / "out/matmul.pto").read_text(), planner == "placid")
        self.assertEqual(self.build("--until", "cpp", "--planner", "placid").returncode, 0)
        self.assertEqual(self.ran(), [], "the first is still known")
        (self.folder / "placid.toml").write_text('planner = "ptoas"\n')
        self.assertEqual(self.build("--until", "cpp").returncode, 0)
        self.assertNotIn(" addr = ", (self.folder / "out/matmul.pto").read_text())

    def test_releases(self):
        (self.folder / "ptoas/bin/version").write_text("0.27")
        done = self.build("--until", "cpp")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[PL7020]: ptoas 0.27 cannot take an explicit NZ layout", done.stderr)
        self.assertIn("--> k.py:", done.stderr)
        self.assertEqual(self.ran(), [], "refused before it is run")
        (self.folder / "ptoas/bin/version").write_text("0.60")
        (self.folder / "ptoas/bin/flags").write_text("--disable-infer-layout")
        done = self.build("--until", "cpp")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("placid: note: ptoas 0.60 infers layouts", done.stderr)

    def test_what_ptoas_says_is_on_the_line(self):
        store = self.line_of("pl.store")
        for how in ("error", "syntax"):
            self.behave("ptoas/bin", how)
            done = self.build("--until", "cpp")
            self.assertEqual(done.returncode, 1)
            self.assertIn("error[PL7001]: ptoas: ", done.stderr)
            self.assertIn(f"--> k.py:{store}:", done.stderr)
            self.assertEqual(self.files(), ["matmul.pto"], "no manifest")
        self.assertIn("out/matmul.pto:", done.stderr, "the tool's own place is told too")
        self.ran()
        self.assertEqual((self.build("--until", "cpp").returncode, self.ran()), (1, []), "a refusal is known")
        self.behave("ptoas/bin", "warns")
        done = self.build("--until", "cpp")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning[PL7002]: ptoas: slow", done.stderr)

    def test_how_ptoas_can_fail(self):
        for how, code, words in (("garbage", "PL7010", "status 3"), ("crash", "PL7011", "SIGSEGV"), ("no-output", "PL7013", "did not write matmul.cpp"),
                                 ("empty", "PL7013", "is empty"), ("partial", "PL7013", "does not define `matmul`"), ("killed", "PL7030", "SIGKILL")):
            self.behave("ptoas/bin", how)
            done = self.build("--until", "cpp")
            self.assertEqual(done.returncode, 1, how)
            self.assertIn(f"error[{code}]", done.stderr, how)
            self.assertIn(words, done.stderr, how)
            self.assertEqual(len(self.ran()), 2 if how == "killed" else 1, how)
            self.build("--until", "cpp")
            again = len(self.ran())
            if how == "garbage":
                self.assertEqual(again, 0, "an answer, though a bad one")
            else:
                self.assertGreater(again, 0, f"{how} is not remembered")
        self.behave("ptoas/bin", "flood")
        self.assertEqual(self.build("--until", "cpp").returncode, 0)

    def test_a_tool_that_takes_too_much_memory(self):
        """It ends as something that was lacking, not as a fault of the kernel, and nothing of it is remembered."""
        self.behave("host", "memory 600")
        done = self.build("--until", "object", "--toolchain", "cpu-sim", env={"PLACID_TOOL_MEMORY": "100"})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[PL7030]", done.stderr)
        self.assertIn("it needs more memory than the 200 MiB that it may have", done.stderr, "it had got twice as much")
        self.assertNotIn("PL7003", done.stderr)
        self.assertNotIn("too much", done.stderr)
        done = self.build("--until", "object", "--toolchain", "cpu-sim", env={"PLACID_TOOL_MEMORY": "400"})
        self.assertEqual(done.returncode, 0, "once more, with 800: " + done.stderr)
        for nonsense in ("-1", "x", "0"):
            self.behave("host", "memory 100")
            done = self.build("--until", "object", "--toolchain", "cpu-sim", env={"PLACID_TOOL_MEMORY": nonsense})
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_tool_that_hangs(self):
        self.behave("ptoas/bin", "hang")
        done = self.build("--until", "cpp", env={"PLACID_TOOL_SECONDS": "1"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[PL7012]: ptoas was not done after", done.stderr)
        until = time.monotonic() + 30
        while self.running() and time.monotonic() < until:  # one that was killed may be seen for a moment
            time.sleep(0.01)
        self.assertEqual(self.running(), [], "and what it had started")

    def running(self):
        mine = str(self.folder / "ptoas/bin/ptoas")
        out = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if mine.encode() in path.read_bytes():
                    out.append(path.parent.name)
            except OSError:
                pass
        return out

    def test_what_the_compiler_says_is_on_the_line(self):
        self.behave("host", "error")
        done = self.build("--toolchain", "cpu-sim")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[PL7003]: clang++-29: static assertion failed: not for this tile", done.stderr)
        self.assertIn(f"--> k.py:{self.line_of('pl.store')}:", done.stderr)
        self.assertIn("isa/include/pto/pto-inst.hpp", done.stderr)
        for how, code in (("crash", "PL7011"), ("garbage", "PL7013")):
            self.behave("host", how)
            self.assertIn(f"error[{code}]", self.build("--toolchain", "cpu-sim").stderr)

    def test_what_changes_is_built_again_and_no_more(self):
        words = ("--toolchain", "cpu-sim")
        self.build(*words)
        self.ran()
        self.source.write_text("# a line more\n" + self.source.read_text())
        self.assertEqual((self.build(*words).returncode, self.ran()), (0, ["ptoas"]), "the C++ is as before")
        (self.folder / "isa/include/pto/pto-inst.hpp").write_text("// patched\n")
        self.build(*words)
        self.assertEqual(self.ran(), ["compile"], "the same object needs no new library")
        (self.folder / "ptoas/bin/module.py").write_text("# patched, with the same version text\n")
        self.build(*words)
        self.assertEqual(self.ran(), ["ptoas"])

    def test_a_refusal_lasts_until_what_was_read_changes(self):
        header = self.folder / "vendor.h"
        header.write_text("#error\n")
        (self.folder / "host/reads").write_text(str(header))
        words = ("--toolchain", "cpu-sim", "--until", "object")
        self.behave("host", "error")
        self.assertEqual([self.build(*words).returncode, self.build(*words).returncode], [1, 1])
        self.assertEqual(self.ran().count("compile"), 2, "it did not say what it had read")
        self.behave("host", "error-rule")
        os.utime(header, (1, 1))
        self.assertEqual([self.build(*words).returncode, self.build(*words).returncode], [1, 1])
        self.assertEqual(self.ran().count("compile"), 1)
        header.write_text("// mended\n")
        os.utime(header, (2, 2))
        self.build(*words)
        self.assertEqual(self.ran().count("compile"), 1)

    def test_what_flags_name_is_looked_at(self):
        include = self.folder / "more.h"
        include.write_text("// one\n")
        config = self.folder / ".config/placid/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(f'[toolchain.cpu-sim]\ncxx-flags = ["-include", "{include}"]\n')
        words = ("--toolchain", "cpu-sim", "--until", "object")
        for text, ran in (("// one\n", ["compile", "ptoas"]), ("// one\n", []), ("// two\n", ["compile"])):
            include.write_text(text)
            done = self.build(*words)
            self.assertEqual((done.returncode, self.ran()), (0, ran), done.stderr)

    def test_the_device_compilers_own_tools_count(self):
        self.build("--until", "object")
        self.assertEqual(self.ran(), ["compile", "ptoas"])
        (self.folder / "cann/lib").mkdir()
        (self.folder / "cann/lib/device.bc").write_text("a library of the device\n")
        self.build("--until", "object")
        self.assertEqual(self.ran(), ["compile"])

    def test_a_host_compiler_that_is_too_old(self):
        (self.folder / "host/version").write_text("Debian clang version 14.0.6")
        done = self.build("--toolchain", "cpu-sim")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is clang 14.0, and the headers of pto-isa need 15 or later", done.stderr)
        self.assertEqual(self.ran(), [], "refused before it is run")

    def test_numbers_of_any_size(self):
        for seconds in ("0", "-1", "9223372036854775807", "9223372036854776", "x"):
            done = self.build("--until", "cpp", env={"PLACID_TOOL_SECONDS": seconds})
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_pipe_that_nobody_reads(self):
        os.mkfifo(self.folder / "pipe")
        self.behave("ptoas/bin", "flood")
        for daemon in (False, True):
            command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--until", "cpp", "--out", "out-of-pipe", "--events", "pipe", "k.py"]
            stuck = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
            done = self.build("--until", "cpp", "--events", "events", daemon=daemon)
            self.assertEqual(done.returncode, 0, "the other build does not wait for that pipe: " + done.stderr)
            stuck.send_signal(signal.SIGTERM)
            stuck.wait(60)
            os.close(reader)

    def test_one_build_at_a_time_in_a_folder(self):
        other = self.folder / "other.py"
        other.write_text(self.source.read_text().replace("def matmul", "def another"))
        commands = [subprocess.Popen([OPTIONS.placid, "build", "--no-daemon", "--until", "cpp", "--out", "out", name], cwd=self.folder, env=self.env,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for name in ("k.py", "other.py") * 3]  # fmt: skip
        for command in commands:
            error = command.communicate(timeout=90)[1]
            self.assertEqual(command.returncode, 0, error)
        kernels = json.loads((self.folder / "out/manifest.json").read_text())["kernels"]
        self.assertEqual(len(kernels), 1)
        for file in kernels[0]["files"]:
            self.assertTrue((self.folder / "out" / file["path"]).exists())

    def test_reports(self):
        self.behave("ptoas/bin", "error")
        sarif = json.loads(self.build("--until", "cpp", "--format", "sarif").stdout)
        self.assertEqual([result["ruleId"] for result in sarif["runs"][0]["results"]], ["PL7001"])
        github = self.build("--until", "cpp", "--format", "github").stdout
        self.assertIn(f"file=k.py,line={self.line_of('pl.store')}", github)
        self.assertIn("PL7001", self.build("--until", "cpp", "--format", "junit").stdout)
        self.behave("ptoas/bin", "good")
        done = self.build("--until", "cpp", "--format", "sarif")
        self.assertEqual((done.returncode, json.loads(done.stdout)["runs"][0]["results"]), (0, []))
        self.assertIn("wrote 1 kernel", done.stderr)
        for words in (("--format", "xml"), ("--format", "sarif", "--events", "-"), ("--format", "ndjson", "--events", "e")):
            self.assertEqual(self.build(*words).returncode, 2)
        # What was not carried through is no success in any of them.
        lacking = json.loads(self.build("--format", "sarif", "--toolchain", "cann-a5", "--until", "object").stdout)["runs"][0]["invocations"][0]
        self.assertFalse(lacking["executionSuccessful"])
        self.assertEqual(len(lacking["toolExecutionNotifications"]), 1)

    def test_events_as_a_format(self):
        self.behave("ptoas/bin", "error")
        done = self.build("--until", "cpp", "--format", "ndjson")
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([event["code"] for event in events if event["type"] == "diagnostic"], ["PL7001"])
        self.assertEqual((events[-1]["type"], events[-1]["status"]), ("buildFinished", "failed"))
        self.assertNotIn("error[", done.stderr)
        self.assertIn("1 of 1 kernel failed", done.stderr)

    def test_watch(self):
        for daemon in (False, True):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--watch", "--until", "cpp", "--out", "out", "k.py"]
            process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                for text in ("", "def broken(:\n", "# mended\n"):
                    if text:
                        (self.folder / "new").write_text(EXAMPLE.read_text() + text)
                        os.replace(self.folder / "new", self.source)
                    lines = []
                    while not lines or "build finished" not in lines[-1]:
                        lines.append(process.stdout.readline())
                        self.assertTrue(lines[-1], lines)
                    self.assertEqual("wrote 1 kernel and manifest.json to out\n" in lines, "broken" not in text, lines)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(100), -signal.SIGTERM if daemon else 128 + signal.SIGTERM)
            finally:
                process.kill()
                process.wait()
                process.stdout.close()

    def test_watch_as_events(self):
        """Standard output is the events' alone, of one build after the other."""
        command = [OPTIONS.placid, "build", "--watch", "--until", "cpp", "--out", "out", "--events", "-", "k.py"]
        process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertEqual(process.stderr.readline(), "placid: build started\n")
            lines = []
            while not lines or lines[-1]["type"] != "buildFinished":
                lines.append(json.loads(process.stdout.readline()))
            self.assertEqual(lines[0]["type"], "buildStarted")
            said = ""
            while "placid: build finished" not in said:
                said = process.stderr.readline()
                self.assertTrue(said)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.read(), "")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()

    def test_a_damaged_store_heals(self):
        words = ("--toolchain", "cpu-sim")
        self.build(*words)
        self.ran()
        good = (self.folder / "out/matmul.so").read_bytes()
        for blob in (self.folder / "cache/placid/store/cas").glob("*/*"):
            blob.chmod(0o600)
            blob.write_bytes(b"?" + blob.read_bytes()[1:])
        done = self.build(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "out/matmul.so").read_bytes(), good)
        (self.folder / "cache/placid/store/index.sqlite").write_bytes(b"not a database" * 1000)
        for suffix in ("-wal", "-shm"):
            (self.folder / f"cache/placid/store/index.sqlite{suffix}").unlink(missing_ok=True)
        self.assertEqual(self.build(*words).returncode, 0)

    def events(self, text):
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([line["seq"] for line in lines], list(range(len(lines))))
        self.assertEqual(len({line["id"] for line in lines}), 1)
        self.assertEqual([line["type"] for line in lines].count("buildFinished"), 1)
        self.assertEqual(lines[-1]["type"], "buildFinished")
        return lines

    def test_events(self):
        done = self.build("--toolchain", "cpu-sim", "--events", "-")
        lines = self.events(done.stdout)
        self.assertIn("wrote 1 kernel", done.stderr)
        self.assertEqual([line["type"] for line in lines if line["type"] != "log"],
                         ["buildStarted", "fileLowered", "kernelQueued", "artifact", "kernelStarted", "passFinished", "passFinished", "passFinished", "kernelFinished",
                          "artifact", "artifact", "artifact", "buildFinished"])  # fmt: skip
        self.assertEqual((lines[-1]["status"], lines[-1]["exitCode"], lines[-1]["built"]), ("succeeded", 0, 1))
        self.build("--toolchain", "cpu-sim", "--events", "events", daemon=True)
        lines = self.events((self.folder / "events").read_text())
        self.assertEqual([line["step"] for line in lines if line["type"] == "cacheHit"], ["ptoas", "compile", "link"])
        self.behave("ptoas/bin", "error")
        read, write = os.pipe()
        done = self.build("--until", "cpp", "--events", f"fd:{write}", daemon=True, pass_fds=[write])
        os.close(write)
        lines = self.events(os.read(read, 1 << 20).decode())
        os.close(read)
        said = [line for line in lines if line["type"] == "diagnostic"]
        self.assertEqual([(line["source"], line["code"], line["path"]) for line in said], [("ptoas", "PL7001", "k.py")])
        self.assertEqual((lines[-1]["status"], lines[-1]["exitCode"]), ("failed", 1))
        self.assertEqual(self.build("--events", "fd:99").returncode, 2)
        self.assertEqual(self.build("--events", "/nowhere/x").returncode, 2)

    def test_interrupted(self):
        self.behave("ptoas/bin", "hang")
        for daemon, number in ((False, signal.SIGTERM), (False, signal.SIGINT), (True, signal.SIGTERM)):
            command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--until", "cpp", "--out", "out", "--events", "events", "k.py"]
            process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(1000):
                if self.running():
                    break
                time.sleep(0.02)
            process.send_signal(number)
            code = process.wait(60)
            if not daemon:
                self.assertEqual(code, 128 + number)
            for _ in range(500):
                if not self.running() and '"buildFinished"' in (self.folder / "events").read_text():
                    break
                time.sleep(0.02)
            self.assertEqual(self.running(), [])
            self.assertEqual(self.events((self.folder / "events").read_text())[-1]["status"], "cancelled")
            self.assertNotIn("manifest.json", self.files())

    def test_many_at_once(self):
        commands = [subprocess.Popen([OPTIONS.placid, "build", "--toolchain", "cpu-sim", "--out", f"out{i}", "k.py"], cwd=self.folder, env=self.env,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for i in range(6)]  # fmt: skip
        for command in commands:
            error = command.communicate(timeout=90)[1]
            self.assertEqual(command.returncode, 0, error)
        self.assertEqual(self.ran(), ["compile", "link", "ptoas"], "equal actions in one daemon run once")


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
