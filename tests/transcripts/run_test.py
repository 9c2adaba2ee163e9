#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""That the transcript runner can fail: each of these conversations is wrong in one way and must be reported."""
import argparse
import pathlib
import shlex
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402

START = '--> {"id": 1, "method": "initialize", "params": {}}\n<-- {"id": 1, "result": "*"}\n'
OPEN = START + "--> open a.py ERR\n"
END = '--> {"id": 9, "method": "shutdown"}\n<-- {"id": 9, "result": null}\n--> {"method": "exit"}\nexit 0\n'
COMMAND = []


class Runner(unittest.TestCase):
    def play(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".transcript") as file:
            file.write(text)
            file.flush()
            run.play(pathlib.Path(file.name), COMMAND)

    def test_right(self):
        self.play(OPEN + "<-- publish a.py 0 [PL2001 1:1-1:4]\n" + END)

    def test_wrong(self):
        wrong = {
            "range": OPEN + "<-- publish a.py 0 [PL2001 1:1-1:5]\n" + END,
            "version": OPEN + "<-- publish a.py 1 [PL2001 1:1-1:4]\n" + END,
            "too few": OPEN + "<-- publish a.py 0 []\n" + END,
            # An answer, for those come in order; diagnostics may come after the runner's own request was answered.
            "unexpected": START + '--> {"id": 2, "method": "x"}\n<-- nothing\n' + END,
            "left over": START + '--> {"id": 2, "method": "x"}\n--> {"method": "exit"}\nexit 1\n',
            "exit code": START + '--> {"method": "exit"}\nexit 0\n',
            "no exit": START,
            "type": START.replace('"*"', "5") + END,
            "step": START + "nonsense\n" + END,
            "after exit": START + END + "eof\n",
        }
        for name, text in wrong.items():
            with self.subTest(name), self.assertRaises(run.Failure):
                self.play(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    options, rest = parser.parse_known_args()
    COMMAND = shlex.split(options.server)
    unittest.main(argv=[sys.argv[0], *rest])
