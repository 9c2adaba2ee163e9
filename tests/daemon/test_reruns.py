#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an edit compiles again, as `placid status --json` counts it: an editor changes one thing at a time in a file of three
kernels and the module that it imports. Needs the real compiler."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "replay"))
from lsp_client import Client  # noqa: E402

OPTIONS = None
CONFIG = "ROWS = 16\nUNUSED = 3\n"
KERNEL = '''

@pl.function(type=pl.FunctionType.InCore)
def {name}(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    # The upper half.
    t = pl.load(x, [0, 0], [{rows}, 64])
    return pl.store(t, [0, 0], y)
'''
TEXT = "import pypto.language as pl\nfrom config import ROWS\n\nLOCAL = 8\n" + "".join(
    KERNEL.format(name=name, rows=rows) for name, rows in (("first", "ROWS"), ("second", "LOCAL"), ("third", "32")))


class Reruns(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="placid-r-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "run").mkdir(mode=0o700)
        self.env = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "run"), "XDG_CACHE_HOME": str(self.folder / "cache"),
                    "PLACID_IDLE_SECONDS": "60", "PLACID_WORKERS": "1"}
        (self.folder / "config.py").write_text(CONFIG)
        self.editor = Client([OPTIONS.placid, "lsp"], env=self.env, cwd=self.folder, stderr=subprocess.DEVNULL)
        self.addCleanup(subprocess.run, [OPTIONS.placid, "stop"], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.editor.end)
        self.editor.initialize()
        self.version = 0
        self.kernels, self.config = ((self.folder / name).as_uri() for name in ("k.py", "config.py"))
        self.editor.open(self.config, 0, CONFIG)
        self.editor.open(self.kernels, 0, TEXT)
        self.editor.settled(self.kernels)

    def counters(self):
        done = subprocess.run([OPTIONS.placid, "status", "--json"], env=self.env, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["counters"]

    def rerun(self, uri, text):
        """Kernels that are compiled for this change."""
        before = self.counters()
        self.version += 1
        self.editor.change(uri, self.version, [{"text": text}])
        self.editor.settled(uri)
        self.editor.settled(self.kernels)
        after = self.counters()
        self.assertGreater(after["parse"], before["parse"], "nothing was looked at")
        return after["check"] - before["check"]

    def test_each_kind_of_edit(self):
        self.assertEqual(self.counters()["check"], 3)
        text = TEXT.replace("# The upper half.", "# What is above.")
        self.assertEqual(self.rerun(self.kernels, text), 0, "a comment")
        text = text.replace("LOCAL = 8\n", "\n\nLOCAL = 8\n\n")
        self.assertEqual(self.rerun(self.kernels, text), 0, "blank lines")
        text = text.replace("[32, 64])\n    return", "[24, 64])\n    return")
        self.assertEqual(self.rerun(self.kernels, text), 1, "a body")
        text = text.replace("LOCAL = 8", "LOCAL = 24")
        self.assertEqual(self.rerun(self.kernels, text), 1, "a constant")
        text += KERNEL.format(name="fourth", rows="16")
        self.assertEqual(self.rerun(self.kernels, text), 1, "another kernel")
        self.assertEqual(self.rerun(self.config, CONFIG.replace("ROWS = 16", "ROWS = 24")), 1, "a constant of an imported module")
        self.assertEqual(self.rerun(self.config, CONFIG.replace("ROWS = 16", "ROWS = 24").replace("UNUSED = 3", "UNUSED = 5")), 0,
                         "a constant that nobody reads")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--placid", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.placid = str(pathlib.Path(OPTIONS.placid).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
