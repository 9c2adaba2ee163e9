#!/usr/bin/env python3
"""Shows that tests/check_pages.py can fail, with a stand-in for placid that reports PL3101 on every line with the word BAD."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = f"""#!{sys.executable}
import json, sys
lines = open(sys.argv[-1]).read().splitlines()
found = [i for i, line in enumerate(lines) if "BAD" in line]
for i in found:
    print(json.dumps({{"code": "PL3101", "severity": "error", "message": "m", "range": {{"start": {{"line": i}}}}}}))
print(json.dumps({{"summary": {{}}}}))
sys.exit(1 if found else 0)
"""


class CheckPages(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="placid-pages-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "pages").mkdir()
        (self.root / "examples").mkdir()
        (self.root / "placid").write_text(STAND_IN)
        (self.root / "placid").chmod(0o755)

    def page(self, example, fix, name="PL3101"):
        text = f"# {name} slug\n\n## Example\n\n```py\n{example}\n```\n\n## How to fix\n\n```py\n{fix}\n```\n"
        (self.root / "pages" / f"{name}.md").write_text(text)

    def run_it(self):
        command = [sys.executable, ROOT / "tests/check_pages.py", "--placid", self.root / "placid", "--pages", self.root / "pages", "--examples", self.root / "examples"]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_page_that_behaves(self):
        self.page("x = 1\nBAD = 2  # error", "x = 1")
        self.assertEqual(self.run_it(), (0, "2 passed, 0 failed\n"))

    def test_a_mark_without_a_diagnostic(self):
        self.page("x = 1  # error", "x = 1")
        code, out = self.run_it()
        self.assertEqual(code, 1)
        self.assertIn("missing error PL3101 on line 1", out)

    def test_a_diagnostic_without_a_mark(self):
        self.page("BAD = 1  # error\nBAD = 2", "x = 1")
        code, out = self.run_it()
        self.assertEqual(code, 1)
        self.assertIn("unexpected error PL3101 on line 2", out)

    def test_another_code_is_not_this_pages(self):
        self.page("BAD = 1  # error", "x = 1", name="PL3102")
        code, out = self.run_it()
        self.assertEqual(code, 1)
        self.assertIn("missing error PL3102", out)

    def test_a_fix_that_does_not_fix(self):
        self.page("BAD = 1  # error", "BAD = 1")
        self.assertIn("how to fix", self.run_it()[1])

    def test_an_example_without_a_mark(self):
        self.page("x = 1", "x = 1")
        self.assertIn("marks no line", self.run_it()[1])

    def test_examples_name_their_codes(self):
        self.page("BAD = 1  # error", "x = 1")
        (self.root / "examples" / "a.py").write_text("BAD = 1  # error PL3101\n")
        self.assertEqual(self.run_it()[0], 0)
        (self.root / "examples" / "a.py").write_text("BAD = 1  # error PL3105\n")
        self.assertEqual(self.run_it()[0], 1)

    def test_nothing_to_run_is_a_failure(self):
        self.assertEqual(self.run_it(), (1, "0 passed, 0 failed\n"))


if __name__ == "__main__":
    unittest.main()
