#!/usr/bin/env python3
"""scripts/corpus around a stand-in client: what it counts, and that crashes, hangs and errors show."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Answers by words in the file that it is asked about.
CLIENT = f"""#!{sys.executable}
import json, sys, time
path = sys.argv[-1]
text = open(path).read()
if "CRASH" in text:
    print("oops", file=sys.stderr)
    sys.exit(3)
if "HANG" in text:
    time.sleep(60)
def say(code, severity, message, **more):
    place = {{"line": 1, "character": 2}}
    print(json.dumps({{"code": code, "slug": code.lower(), "severity": severity, "path": path, "range": {{"start": place, "end": place}}, "message": message, **more}}))
errors = 0
if "OP" in text:
    say("PL2003", "warning", "`pl.newest` is not supported yet: what depends on it is not checked", kernel="first")
if "VALUE" in text:
    say("PL2004", "information", "the value of `N` cannot be followed statically: it is read from a file")
if "BAD" in text:
    say("PL3005", "error", "the window ends late", kernel="first")
    errors = 1
print(json.dumps({{"summary": {{"files": 1, "kernels": text.count("def "), "errors": errors, "warnings": 0}}}}))
sys.exit(1 if errors else 0)
"""
HEAD = "import pypto.language as pl\n"


class Corpus(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="placid-corpus-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.client = self.folder / "client"
        self.client.write_text(CLIENT)
        self.client.chmod(0o755)
        (self.folder / "tree/sub").mkdir(parents=True)

    def write(self, name, text):
        (self.folder / "tree" / name).write_text(text)

    def run_script(self, *arguments):
        done = subprocess.run([sys.executable, ROOT / "scripts/corpus", self.client, self.folder / "tree", *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def cells(self, out):
        row = next(line for line in out.splitlines() if line.startswith(f"| {self.folder / 'tree'}"))
        return [c.strip() for c in row.strip("|").split("|")][1:]

    def test_counts_files_kernels_and_what_is_understood(self):
        self.write("a.py", HEAD + "def first(): OP\ndef second(): pass\n")
        self.write("sub/b.py", HEAD + "def first(): pass\n")
        self.write("sub/helper.py", HEAD)
        self.write("plain.py", "def first(): BAD\n")
        code, out = self.run_script()
        self.assertEqual(code, 0, out)
        self.assertEqual(self.cells(out)[:5], ["3", "2", "3", "1 (50.0 %)", "2 (66.7 %)"])
        self.assertIn("PL2003  `pl.newest`", out)

    def test_an_unknown_outside_kernels_touches_them_all(self):
        self.write("a.py", HEAD + "N = VALUE\ndef first(): pass\ndef second(): pass\n")
        code, out = self.run_script()
        self.assertEqual(code, 0, out)
        self.assertEqual(self.cells(out)[3:5], ["0 (0.0 %)", "0 (0.0 %)"])
        self.assertIn("it is read from a file", out)

    def test_errors_are_counted_and_listed(self):
        self.write("a.py", HEAD + "def first(): BAD\n")
        code, out = self.run_script("--errors")
        self.assertEqual(code, 1, out)
        self.assertEqual(self.cells(out)[5:7], ["1", "1"])
        self.assertIn("a.py:2:3: error[PL3005]: the window ends late", out)

    def test_a_crash_is_told(self):
        self.write("a.py", HEAD + "def first(): CRASH\n")
        code, out = self.run_script()
        self.assertEqual(code, 1, out)
        self.assertIn("crash: ", out)
        self.assertIn("exit 3: oops", out)

    def test_a_hang_is_told(self):
        self.write("a.py", HEAD + "def first(): HANG\n")
        code, out = self.run_script("--timeout", "1")
        self.assertEqual(code, 1, out)
        self.assertIn("hang: ", out)

    def test_excluded_files_do_not_count(self):
        self.write("a.py", HEAD + "def first(): BAD\n")
        self.write("b.py", HEAD + "def first(): pass\n")
        code, out = self.run_script("--exclude", "*/a.py")
        self.assertEqual(code, 0, out)
        self.assertEqual(self.cells(out)[0], "1")

    def test_wrong_usage(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/corpus", self.client, self.folder / "nowhere"], capture_output=True)
        self.assertEqual(done.returncode, 2)

    def test_everything_can_be_kept(self):
        self.write("a.py", HEAD + "def first(): BAD\n")
        kept = self.folder / "kept.json"
        self.run_script("--json", kept)
        self.assertEqual(json.loads(kept.read_text())[0]["diagnostics"][0]["code"], "PL3005")


if __name__ == "__main__":
    unittest.main()
