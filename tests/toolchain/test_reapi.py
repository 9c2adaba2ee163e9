#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`placid build --executor reapi` from outside: the tests' farm carries the steps out with the programs of
tests/toolchain/fake, and what is written is what a build on this machine writes.

    test_reapi.py --placid build/release/bin/placid --farm build/release/bin/reapi_farm
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "nz_matmul.py"
OPTIONS = None


class BuildsElsewhere(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-reapi-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "k.py").write_text(EXAMPLE.read_text())
        self.tool("ptoas/bin/ptoas", "ptoas")
        self.tool("host/clang++-29", "cxx")
        (self.folder / "isa/include/pto").mkdir(parents=True)
        (self.folder / "isa/include/pto/pto-inst.hpp").write_text("// headers\n")
        self.env = {
            **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")},
            "PATH": f"{self.folder}/host:/usr/bin:/bin", "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache"),
            "XDG_RUNTIME_DIR": str(self.folder), "PLACID_IDLE_SECONDS": "3", "PTOAS_ROOT": str(self.folder / "ptoas"),
            "PTO_ISA_ROOT": str(self.folder / "isa"), "XDG_CONFIG_HOME": str(self.folder / "config"),
        }  # fmt: skip
        self.socket = f"unix:{self.folder}/farm"
        self.farm = subprocess.Popen([OPTIONS.farm, self.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end_farm)
        self.assertEqual(self.farm.stdout.readline(), "ready\n")
        self.settings(f'[reapi]\naddress = "{self.socket}"\n')

    def end_farm(self):
        self.farm.stdin.close()
        self.farm.stdout.close()
        self.farm.wait(60)

    def ask_farm(self, command):
        self.farm.stdin.write(command + "\n")
        self.farm.stdin.flush()
        return int(self.farm.stdout.readline())

    def tool(self, where, what):
        path = self.folder / where
        path.parent.mkdir(parents=True)
        shutil.copy(HERE / "fake" / what, path)
        (path.parent / "log").write_text(str(self.folder / "log"))

    def settings(self, text):
        (self.folder / "config/placid").mkdir(parents=True, exist_ok=True)
        (self.folder / "config/placid/config.toml").write_text(text)

    def build(self, *words, daemon=False, env=None, out="out"):
        command = [OPTIONS.placid, "build", *([] if daemon else ["--no-daemon"]), "--out", out, "--toolchain", "cpu-sim", *words, "k.py"]
        return subprocess.run(command, cwd=self.folder, env={**self.env, **(env or {})}, capture_output=True, text=True, timeout=150)

    def written(self, out):
        return {path.name: path.read_bytes() for path in sorted((self.folder / out).iterdir())}

    def test_the_same_is_written(self):
        here = self.build("--executor", "local", out="here", env={"XDG_CACHE_HOME": str(self.folder / "cache-here")})
        self.assertEqual(here.returncode, 0, here.stderr)
        self.assertEqual(self.ask_farm("counts"), 0)
        there = self.build("--executor", "reapi", "--events", "events", out="there")
        self.assertEqual(there.returncode, 0, there.stderr)
        self.assertEqual(self.written("here"), self.written("there"))
        self.assertGreaterEqual(self.ask_farm("counts"), 3)
        events = [json.loads(line) for line in (self.folder / "events").read_text().splitlines()]
        passes = [event for event in events if event["type"] == "passFinished"]
        self.assertEqual({event["executor"] for event in passes}, {"reapi"})
        self.assertEqual({event["worker"] for event in passes}, {"worker-1"})
        # Known here: nothing is asked. Known there alone: nothing is run.
        ran = self.ask_farm("counts")
        self.assertEqual(self.build("--executor", "reapi").returncode, 0)
        self.assertEqual(self.build("--executor", "reapi", env={"XDG_CACHE_HOME": str(self.folder / "another")}).returncode, 0)
        self.assertEqual(self.ask_farm("counts"), ran)

    def test_by_settings_and_in_the_daemon(self):
        self.settings(f'executor = "reapi"\n[reapi]\naddress = "{self.socket}"\n')
        done = self.build(daemon=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(self.ask_farm("counts"), 3)
        ran = self.ask_farm("restart")
        # What was made is in the store here; a farm that was started anew is not missed.
        self.assertEqual(self.build(daemon=True, out="again").returncode, 0)
        self.assertEqual(self.ask_farm("counts"), ran)
        self.assertEqual(self.written("out"), self.written("again"))

    def test_what_a_tool_says_is_on_the_line(self):
        (self.folder / "ptoas/bin/behaviour").write_text("error")
        done = self.build("--executor", "reapi")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[PL7001]", done.stderr)
        self.assertIn("k.py:", done.stderr)

    def test_no_server(self):
        self.settings('[reapi]\naddress = "unix:/nowhere/farm"\n')
        done = self.build("--executor", "reapi")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("unix:/nowhere/farm does not answer", done.stderr)
        self.assertFalse((self.folder / "out/manifest.json").exists())

    def test_wrong_wishes(self):
        for settings, words, said in (
            ("", ["--executor", "reapi"], "`address` in [reapi]"),
            ("", ["--executor", "slurm"], "expected local or reapi"),
            ('executor = "reapi"\n[reapi]\naddress = "farm"\n', [], "`farm` is no address"),
            ('executor = "reapi"\n[reapi]\naddress = "grpc://farm:1"\ntoken-file = "/t"\n', [], "in the clear"),
            ('executor = "reapi"\n[reapi]\nadress = "unix:/x"\n', [], "config.toml"),
        ):
            self.settings(settings)
            done = self.build(*words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(said, done.stderr)

    def test_without_the_module(self):
        """A placid that was built without it is the same program with nothing beside it."""
        alone = self.folder / "alone"
        alone.mkdir()
        for name in ("placid", "placidd"):
            shutil.copy(pathlib.Path(OPTIONS.placid).with_name(name), alone / name)
        words = [alone / "placid", "build", "--no-daemon", "--toolchain", "cpu-sim", "--executor", "reapi", "k.py"]
        done = subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=150)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("built without remote execution", done.stderr)

    def test_doctor(self):
        self.settings(f'executor = "reapi"\n[reapi]\naddress = "{self.socket}"\n')
        done = subprocess.run([OPTIONS.placid, "doctor", "--no-daemon"], env=self.env, capture_output=True, text=True, timeout=150)
        self.assertRegex(done.stdout, rf"executor +reapi: {self.socket}\n")
        self.assertRegex(done.stdout, r"reapi +/.*placid-reapi\.so\n")

    def test_who_does_not_ask_does_not_pay(self):
        linked = subprocess.run(["ldd", pathlib.Path(OPTIONS.placid).with_name("placidd")], capture_output=True, text=True).stdout
        self.assertNotIn("grpc", linked)
        self.assertNotIn("protobuf", linked)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--farm", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = pathlib.Path(OPTIONS.placid).resolve()
    OPTIONS.farm = pathlib.Path(OPTIONS.farm).resolve()
    unittest.main(argv=[sys.argv[0], *rest])
