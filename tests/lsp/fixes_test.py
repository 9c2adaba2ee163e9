#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every fix that an editor applies unasked, over all cases: the fault it is for is gone, and no error is new.

Which fixes those are is the server's to say; that they are not fewer than they were is checked by their number.
"""
import argparse
import collections
import pathlib
import shlex
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import features_test  # noqa: E402
from features_test import Client, apply  # noqa: E402

CASES = HERE.parent / "cases"
MISTAKES = HERE.parent.parent / "examples" / "mistakes.py"
# Of all that are offered. More are welcome; raise it then.
PREFERRED = 150
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 1000000, "character": 0}}


def tally(diagnostics):
    return collections.Counter((d["code"], d["severity"]) for d in diagnostics)


class Fixes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="placid fixes ")
        self.client = Client(pathlib.Path(self.folder.name), {"textDocument": {"diagnostic": {}}})

    def tearDown(self):
        self.assertEqual(self.client.close(), 0)
        self.folder.cleanup()

    def pull(self, uri):
        return self.client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]

    def actions(self, uri):
        return self.client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": ALL, "context": {"diagnostics": []}})

    def edited(self, uri, text, version):
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                      "contentChanges": [{"text": text}]})
        return self.pull(uri)

    def test_what_is_preferred_mends(self):
        preferred = offered = 0
        for path in sorted([*CASES.rglob("*.py"), MISTAKES]):
            text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
            if "# expect: reject" not in text and "# expect: warn" not in text and path != MISTAKES:
                continue
            uri = path.as_uri()
            self.client.open(uri, text)
            before = tally(self.pull(uri))
            actions = self.actions(uri) if before else []
            offered += len(actions)
            firsts = [a for a in actions if a.get("isPreferred")]
            for version, action in enumerate(firsts[:4], 2):
                edits = action["edit"]["changes"]
                self.assertEqual(list(edits), [uri], action["title"])
                after = tally(self.edited(uri, apply(text, edits[uri]), version))
                fault = (action["diagnostics"][0]["code"], action["diagnostics"][0]["severity"])
                said = f"{path.relative_to(HERE.parent.parent)}: {fault} `{action['title']}`: {before} -> {after}"
                self.assertLess(after[fault], before[fault], said)
                self.assertEqual([k for k in after if k[1] == 1 and after[k] > before[k]], [], said)
                preferred += 1
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        print(f"{preferred} preferred of {offered} fixes")
        self.assertGreaterEqual(preferred, PREFERRED)

    def test_applying_what_is_preferred_comes_to_an_end(self):
        mended = {}
        for name in ("d32", "d33", "d35", "d36", "d38", "c08_tensor_level", "c09_tensor_level"):
            name = sorted((CASES / "nz").glob(f"{name}*.py"))[0].relative_to(CASES).as_posix()
            path = CASES / name
            text = path.read_text(encoding="utf-8")
            uri = path.as_uri()
            self.client.open(uri, text)
            errors = len([d for d in self.pull(uri) if d["severity"] == 1])
            self.assertGreater(errors, 0, name)
            version = 1
            while any(a.get("isPreferred") for a in self.actions(uri)):
                action = next(a for a in self.actions(uri) if a.get("isPreferred"))
                version += 1
                text = apply(text, action["edit"]["changes"][uri])
                left = len([d for d in self.edited(uri, text, version) if d["severity"] == 1])
                self.assertLess(left, errors, f"{name}: {action['title']}")
                errors = left
            mended[name] = errors == 0
        self.assertGreaterEqual(sum(mended.values()), 6, mended)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    features_test.SERVER[:] = shlex.split(args.server)
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
