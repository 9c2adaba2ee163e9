#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that run_cases.py can fail: a stand-in for `placid` answers one case rightly, then wrongly in every way."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent / "run_cases.py"
CASE = """# expect: reject offset-align line=10
# related-line=8
# def-line=9
# arch: a3
# entry: K.kern
# mentions: 16; 24
# at: r0
# untouched: act=[16, 64]
import pypto.language as pl
w: "pl.NZ"; r0 = 24; load(w, r0)
"""
OK_CASE = "# expect: ok\n# arch: a3\n# kernels: 1\n# blocked: w=[1, 2]\n# offsets: L5 w=[0, floordiv(r0, 16)]\n# gap: L5 w=7\nx = 1\n"
STAND_IN = """#!{python}
import json, pathlib, sys
answers = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())
answer = answers[sys.argv[1]]
if isinstance(answer, list) and answer and answer[0] == "alternate":
    state = pathlib.Path(__file__).with_name("count")
    count = int(state.read_text()) if state.exists() else 0
    state.write_text(str(count + 1))
    answer = answer[1 + count % 2]
sys.stderr.write(answer.get("stderr", ""))
for line in answer["lines"]:
    print(json.dumps(line).replace("$PATH", sys.argv[-1]).replace("$DIR", str(pathlib.Path(sys.argv[-1]).parent)))
sys.exit(answer["exit"])
"""


def at(line, start, end):
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def diagnostic(**changes):
    d = {"code": "PL3105", "slug": "nz-offset-align", "severity": "error", "path": "$PATH", "range": at(9, 29, 31), "message": "offset 24 is no multiple of 16", "kernel": "K.kern",
         "annotation": {"path": "$PATH", "range": at(9, 4, 9)}, "related": [{"path": "$PATH", "range": at(7, 0, 2), "message": "declared here"}, {"path": "$PATH", "range": at(8, 0, 2), "message": "bound here"}], "fixes": []}
    d.update(changes)
    return {k: v for k, v in d.items() if v is not None}


def check(*diagnostics, exit=1, errors=1, warnings=0, **more):
    return {"exit": exit, "lines": [*diagnostics, {"summary": {"files": 1, "kernels": 1, "errors": errors, "warnings": warnings}}], **more}


def inspect(exit=1, tensors=None, accesses=None, arch="a3"):
    act = {"name": "act", "line": 1, "layout": "ND", "logical": [16, 64]}
    refused = {"op": "load", "tensor": "w", "line": 10, "rejected": "nz-offset-align"}
    return {"exit": exit, "lines": [{"path": "$PATH", "arch": arch, "kernels": [{"entry": "K.kern", "tensors": [act] if tensors is None else tensors, "accesses": [refused] if accesses is None else accesses}]}]}


class RunCasesTest(unittest.TestCase):
    def outcome(self, case, check_answer, inspect_answer):
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder)
            (base / "case.py").write_text(case, encoding="utf-8")
            (base / "answers.json").write_text(json.dumps({"check": check_answer, "inspect": inspect_answer}))
            (base / "placid").write_text(STAND_IN.format(python=sys.executable))
            (base / "placid").chmod(0o755)
            return subprocess.run([sys.executable, str(RUNNER), "--placid", str(base / "placid"), str(base / "case.py")], capture_output=True, text=True, check=False)

    def passes(self, case, check_answer, inspect_answer):
        done = self.outcome(case, check_answer, inspect_answer)
        self.assertEqual((done.returncode, done.stdout), (0, "1 passed, 0 failed\n"), done.stdout + done.stderr)

    def fails(self, why, case, check_answer, inspect_answer):
        done = self.outcome(case, check_answer, inspect_answer)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(why, done.stdout)
        self.assertTrue(done.stdout.endswith("0 passed, 1 failed\n"), done.stdout)

    def test_the_right_rejection_passes(self):
        self.passes(CASE, check(diagnostic()), inspect())

    def test_wrong_rejections_fail(self):
        for why, answer in (
            ("expected offset-align at line 10", check(diagnostic(code="PL3106", slug="nz-offset-sign"))),
            ("expected offset-align at line 10", check(diagnostic(range=at(8, 0, 2)))),
            ("got no diagnostic", check(exit=0, errors=0)),
            ("the range holds `(w`", check(diagnostic(range=at(9, 25, 27)))),
            ("no `24` in message", check(diagnostic(message="no multiple of 16"))),
            ("kernel `Other`", check(diagnostic(kernel="Other"))),
            ("without its annotation", check(diagnostic(annotation=None))),
            ("the annotation range holds", check(diagnostic(annotation={"path": "$PATH", "range": at(9, 12, 14)}))),
            ("line 8 is not related", check(diagnostic(related=[]))),
            ("is not nz-offset-sign in the catalogue", check(diagnostic(slug="nz-offset-sign"))),
            ("is outside the text", check(diagnostic(range=at(9, 29, 310)))),
            ("unexpected warning", check(diagnostic(), diagnostic(range=at(9, 30, 31), code="PL2003", slug="not-supported-yet", severity="warning"), warnings=1)),
            ("not sorted", check(diagnostic(), diagnostic(range=at(2, 0, 1)), errors=2)),
            ("summary says 2 errors", check(diagnostic(), errors=2)),
            ("exit status 0 with 1 errors", check(diagnostic(), exit=0)),
            ("check exited 3", check(diagnostic(), exit=3)),
            ("wrote to stderr", check(diagnostic(), stderr="oops")),
            ("not the summary", {"exit": 1, "lines": [diagnostic()]}),
            ("other bytes on a second run", ["alternate", check(diagnostic()), check(diagnostic(message="16 and 24"))]),
        ):
            with self.subTest(why):
                self.fails(why, CASE, answer, inspect())

    def test_wrong_inspections_of_a_rejection_fail(self):
        for why, answer in (
            ("does not list what is refused", inspect(accesses=[])),
            ("has coordinates", inspect(accesses=[{"tensor": "w", "line": 10, "rejected": "nz-offset-align", "offsets": [0]}])),
            ("inspect exited 0", inspect(exit=0)),
            ("inspect heads its answer", inspect(arch="a5")),
            ("does not list act", inspect(tensors=[])),
            ("must stay ND", inspect(tensors=[{"name": "act", "layout": "NZ", "logical": [16, 64]}])),
            ("printed no JSON", {"exit": 1, "lines": []}),
        ):
            with self.subTest(why):
                self.fails(why, CASE, check(diagnostic()), answer)

    def test_facts(self):
        tensors = [{"name": "w", "layout": "NZ", "blocked": [1, 2]}]
        accesses = [{"op": "load", "tensor": "w", "line": 5, "offsets": [0, "floordiv(r0, 16)"], "gapBlocks": 7}]
        good = check(exit=0, errors=0)
        self.passes(OK_CASE, good, inspect(0, tensors, accesses))
        self.fails("blocked of w", OK_CASE, good, inspect(0, [{"name": "w", "blocked": [2, 1]}], accesses))
        self.fails("offsets of w in line 5", OK_CASE, good, inspect(0, tensors, [dict(accesses[0], offsets=[0, "r0"])]))
        self.fails("gap of w in line 5", OK_CASE, good, inspect(0, tensors, [dict(accesses[0], gapBlocks=8)]))
        self.fails("does not list w in line 5", OK_CASE, good, inspect(0, tensors, [dict(accesses[0], line=6)]))
        self.fails("kernels", OK_CASE.replace("kernels: 1", "kernels: 2"), good, inspect(0, tensors, accesses))
        self.fails("unexpected error bounds", OK_CASE, check(diagnostic(range=at(6, 0, 1), annotation=None, related=[], slug="bounds", code="PL3005")), inspect())

    def test_a_header_that_nobody_knows_fails(self):
        good = check(exit=0, errors=0)
        self.passes("# expect: ok\n# arch: a3\n# note: for the reader\n# Words and more words: prose.\nx = 1\n", good, inspect(0, [], []))
        for line in ("# mention: 16", "# gm-gap: L23 65536", "# related-lines=8"):
            self.fails("unknown header", f"# expect: ok\n# arch: a3\n{line}\nx = 1\n", good, inspect(0, [], []))

    def test_a_missing_gap_can_be_asked_for(self):
        case = "# expect: ok\n# arch: a3\n# gap: L5 w=none\nx = 1\n"
        access = {"op": "load", "tensor": "w", "line": 5}
        self.passes(case, check(exit=0, errors=0), inspect(0, [], [access]))
        self.fails("gap of w in line 5", case, check(exit=0, errors=0), inspect(0, [], [dict(access, gapBlocks=7)]))

    def test_a_case_of_several_modules(self):
        case = CASE + "# --- file: sub/sizes.py\nN = 64\n"
        self.passes(case, check(diagnostic()), inspect())
        other = {"path": "$DIR/sub/sizes.py", "range": at(0, 0, 1), "message": "bound here"}
        related = [*diagnostic()["related"], other]
        self.passes(case, check(diagnostic(related=related)), inspect())
        self.fails("is outside the text", case, check(diagnostic(related=[*related, dict(other, range=at(40, 0, 1))])), inspect())
        self.fails("is not one that was given", case, check(diagnostic(related=[*related, dict(other, path="$DIR/tys.py")])), inspect())

    def test_any_takes_both_outcomes_and_no_third(self):
        case = "# expect: any offset-align line=10\n# arch: a3\n" + "padding\n" * 7 + CASE.splitlines()[-1] + "\n"
        self.passes(case, check(exit=0, errors=0), inspect(0, [], []))
        self.passes(case, check(diagnostic()), inspect())
        self.fails("unexpected error nz-offset-sign", case, check(diagnostic(slug="nz-offset-sign", code="PL3106")), inspect())


if __name__ == "__main__":
    unittest.main()
