#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renames across files, asked of a real server: every use is changed and every name means what it meant, or the request
is refused."""
import argparse
import pathlib
import shlex
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import features_test  # noqa: E402
from features_test import Client, apply, place  # noqa: E402


class Renames(unittest.TestCase):
    def ask(self, files, cursor, new, folder=True, open_files=None):
        """The texts after the rename at `cursor`, `file:text with @`, or the message that refuses it."""
        with tempfile.TemporaryDirectory(prefix="placid rename ") as made:
            root = pathlib.Path(made)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            elsewhere = root / "elsewhere"
            elsewhere.mkdir()
            client = Client(root if folder else elsewhere)
            try:
                file, what = cursor.split(":", 1)
                for name in open_files or [file]:
                    client.open((root / name).as_uri(), files[name])
                where = {"textDocument": {"uri": (root / file).as_uri()}, "position": place(files[file], what)}
                prepared = client.answer("textDocument/prepareRename", where)
                answer = client.answer("textDocument/rename", {**where, "newName": new})
            finally:
                self.assertEqual(client.close(), 0)
            if "error" in answer:
                return answer["error"]["message"]
            self.assertIn("result", prepared)
            out = {n: t.decode("utf-8-sig", "replace") if isinstance(t, bytes) else t for n, t in files.items()}
            for uri, edits in answer["result"]["changes"].items():
                name = next(n for n in files if (root / n).as_uri() == uri)
                out[name] = apply(out[name], edits)
            return out

    def changed(self, files, cursor, new, expected, **more):
        got = self.ask(files, cursor, new, **more)
        self.assertIsInstance(got, dict, got)
        for name, text in files.items():
            same = text.decode("utf-8-sig", "replace") if isinstance(text, bytes) else text
            self.assertEqual(got[name], expected.get(name, same), name)

    def refused(self, files, cursor, new, why, **more):
        got = self.ask(files, cursor, new, **more)
        self.assertIsInstance(got, str, f"not refused: {got}")
        self.assertIn(why, got)

    def test_aliases(self):
        files = {"cfg.py": "TILE = 16\n", "a.py": "from cfg import TILE as T\nX = T * 2\n", "b.py": "from a import T\nY = T\n"}
        local = {"a.py": "from cfg import TILE as NEW\nX = NEW * 2\n", "b.py": "from a import NEW\nY = NEW\n"}
        self.changed(files, "a.py:@T * 2", "NEW", local)
        self.changed(files, "a.py:as @T", "NEW", local)
        self.changed(files, "b.py:Y = @T", "NEW", local)
        there = {"cfg.py": "ROWS = 16\n", "a.py": "from cfg import ROWS as T\nX = T * 2\n"}
        self.changed(files, "a.py:TI@LE", "ROWS", there)
        self.changed(files, "cfg.py:@TILE", "ROWS", there)

    def test_imports_are_edited_where_the_name_stands(self):
        self.changed({"cfg.py": "TILE = 16\n", "a.py": "from cfg import TILE as TILE_M\nX = TILE_M * 2\n"},
                     "cfg.py:@TILE", "ROWS",
                     {"cfg.py": "ROWS = 16\n", "a.py": "from cfg import ROWS as TILE_M\nX = TILE_M * 2\n"})
        self.changed({"cfg.py": "a = 16\ns = 3\n", "m.py": "from cfg import a as X, s as Y\nZ = X + Y\n"},
                     "cfg.py:@a =", "rows",
                     {"cfg.py": "rows = 16\ns = 3\n", "m.py": "from cfg import rows as X, s as Y\nZ = X + Y\n"})
        self.changed({"cfg.py": "s = 16\n", "m.py": "from cfg import (  # s\n    s as a,\n)\nZ = a\n"},
                     "cfg.py:@s =", "rows",
                     {"cfg.py": "rows = 16\n", "m.py": "from cfg import (  # s\n    rows as a,\n)\nZ = a\n"})

    def test_names_that_are_taken(self):
        text = "TILE = 16\ndef f(n):\n    w = n * TILE\n    return w\n"
        self.refused({"a.py": text}, "a.py:@TILE", "w", "a.py:3")
        self.refused({"a.py": text}, "a.py:@w = n", "TILE", "a.py:3")
        self.refused({"a.py": text}, "a.py:@w = n", "n", "is taken")
        self.refused({"a.py": "def f(n):\n    return n\n", "b.py": "from a import f\ng = 3\nX = f(g)\n"},
                     "a.py:@f(n)", "g", "b.py")
        self.refused({"a.py": "def f(n):\n    def g():\n        m = 1\n        return n + m\n    return g\n"},
                     "a.py:f(@n", "m", "a.py:4")
        self.refused({"a.py": "N = 3\ndef f(n):\n    for i in range(N):\n        pass\n"}, "a.py:@N = 3", "range", "a.py:3")
        self.refused({"a.py": "class C:\n    T = 16\n    U = T * 2\nX = C.T\n"}, "a.py:@T = 16", "U", "is taken")
        self.refused({"a.py": "def f(n):\n    return [m + n for m in range(3)]\n"}, "a.py:f(@n", "m", "is taken")

    def test_names_that_are_none(self):
        for new in ("a×b", "\U0001f600", "2x", "class", "", "a b", "x = 1; y", "None"):
            self.refused({"a.py": "def ff(n):\n    return n\n"}, "a.py:@ff(n)", new, "is no name")
        self.changed({"a.py": "def ff(n):\n    return n\n"}, "a.py:@ff(n)", "größe", {"a.py": "def größe(n):\n    return n\n"})
        self.refused({"a.py": "def ff(n):\n    return n\n"}, "a.py:@ff(n)", "__x", "special")

    def test_keyword_arguments(self):
        files = {"a.py": "def f(n):\n    return n\nY = f(n=3)\n", "b.py": "from a import f\nX = f(n=4)\n",
                 "c.py": "import a\nX = a.f(n=4) + dict(n=2)['n']\n"}
        self.refused(files, "a.py:f(@n)", "m", "the string in")
        files["c.py"] = "import a\ndef h(n):\n    return n\nX = a.f(n=4) + h(n=2)\n"
        wanted = {"a.py": "def f(m):\n    return m\nY = f(m=3)\n", "b.py": "from a import f\nX = f(m=4)\n",
                  "c.py": "import a\ndef h(n):\n    return n\nX = a.f(m=4) + h(n=2)\n"}
        self.changed(files, "a.py:f(@n)", "m", wanted)
        self.changed(files, "a.py:f(@n=3", "m", wanted)
        files["b.py"] = "from a import f\ng = f\nX = g(n=4)\n"
        self.refused(files, "a.py:f(@n)", "m", "b.py:3")
        files["b.py"] = "from functools import partial\nfrom a import f\nX = partial(f, n=4)\n"
        self.refused(files, "a.py:f(@n)", "m", "b.py:3")

    def test_methods(self):
        text = ("import pypto.language as pl\n@pl.program\nclass P:\n    @pl.function\n    def kern(self, x: pl.Tensor[[16], pl.FP16]):\n"
                "        return x\n    @pl.function(type=pl.FunctionType.Orchestration)\n    def main(self, x: pl.Tensor[[16], pl.FP16]):\n"
                "        y = self.kern(x=x)\n        return y\n")
        self.changed({"a.py": text}, "a.py:kern(self, @x", "inp",
                     {"a.py": text.replace("kern(self, x:", "kern(self, inp:").replace("return x\n", "return inp\n").replace("(x=x)", "(inp=x)")})
        self.changed({"a.py": text}, "a.py:@kern(self", "core", {"a.py": text.replace("kern", "core")})
        self.refused({"a.py": text, "b.py": "from a import P\nP().kern(1)\n"}, "a.py:@kern(self", "core", "b.py:2")

    def test_classes(self):
        files = {"a.py": "class C:\n    T = 16\n", "b.py": "from a import C\nimport a\nX = C.T + a.C.T\n"}
        self.changed(files, "a.py:@T = 16", "Q",
                     {"a.py": "class C:\n    Q = 16\n", "b.py": "from a import C\nimport a\nX = C.Q + a.C.Q\n"})
        derived = "class C:\n    T = 16\n    def m(self):\n        return self.T\nclass D(C):\n    def q(self):\n        return self.T + C.T\n"
        self.changed({"a.py": derived}, "a.py:@T = 16", "Q", {"a.py": derived.replace("T", "Q")})
        self.changed({"a.py": derived}, "a.py:@C:", "E", {"a.py": derived.replace("C", "E").replace("Elass", "Class")})
        self.refused({"a.py": derived + "    T = 3\n"}, "a.py:@T = 16", "Q", "base")
        self.refused({**files, "c.py": "def f(x):\n    return x.T\n"}, "a.py:@T = 16", "Q", "c.py:2")

    def test_everything_imported(self):
        self.refused({"a.py": "def f(n):\n    return n\n", "b.py": "from a import *\nX = f(3)\n"}, "a.py:@f(n)", "g", "b.py:1")
        self.refused({"a.py": "def f(n):\n    return n\n", "b.py": "from a import *\ngg = 3\n"}, "a.py:@f(n)", "gg", "b.py:1")
        self.changed({"a.py": "def f(n):\n    return n\n", "b.py": "from math import *\nf = 3\n"}, "a.py:@f(n)", "g",
                     {"a.py": "def g(n):\n    return n\n"})

    def test_importers_that_do_not_parse(self):
        self.refused({"a.py": "def ff(n):\n    return n\n", "b.py": "def z(:\n    from a import ff\n    return ff(1\n"},
                     "a.py:@ff(n)", "g", "b.py has lines that do not parse")

    def test_without_a_folder(self):
        self.changed({"a.py": "def ff(n):\n    return n\n", "b.py": "from a import ff\nX = ff(1)\n"}, "a.py:@ff(n)", "g",
                     {"a.py": "def g(n):\n    return n\n", "b.py": "from a import g\nX = g(1)\n"}, folder=False)
        self.changed({"p/__init__.py": "", "p/a.py": "def ff(n):\n    return n\n", "b.py": "from p.a import ff\nX = ff(1)\n"},
                     "p/a.py:@ff(n)", "g",
                     {"p/a.py": "def g(n):\n    return n\n", "b.py": "from p.a import g\nX = g(1)\n"}, folder=False)

    def test_importers_that_are_no_text(self):
        self.refused({"m.py": "def ff(n):\n    return n\n", "bad.py": b"# \xe9\nfrom m import ff\nQ=ff(2)\n"}, "m.py:@ff", "gg", "bad.py")
        self.changed({"m.py": "def ff(n):\n    return n\n", "bad.py": b"# \xe9\n"}, "m.py:@ff", "gg",
                     {"m.py": "def gg(n):\n    return n\n"})

    def test_a_byte_order_mark_is_no_column(self):
        self.changed({"m.py": b"\xef\xbb\xbfdef ff(n):\n    return n\n", "b.py": "from m import ff\nQ = ff(2)\n"}, "b.py:@ff\n", "gg",
                     {"m.py": "def gg(n):\n    return n\n", "b.py": "from m import gg\nQ = gg(2)\n"})

    def test_too_many_files(self):
        files = {f"d{i % 40}/f{i}.py": "Y = 1\n" for i in range(4001)}
        files["m.py"] = "def ff(n):\n    k = n\n    return k\n"
        self.refused(files, "m.py:@ff", "gg", "more files")
        self.changed(files, "m.py:@k = n", "j", {"m.py": "def ff(n):\n    j = n\n    return j\n"})

    def test_global_and_nonlocal(self):
        text = "N = 3\ndef f():\n    global N\n    N = 4\n    def g():\n        return N\n    return g\n"
        self.changed({"a.py": text}, "a.py:@N = 3", "M", {"a.py": text.replace("N", "M")})
        text = "def f():\n    n = 3\n    def g():\n        nonlocal n\n        n = 4\n        return n\n    return g\n"
        self.changed({"a.py": text}, "a.py:@n = 3", "m", {"a.py": text.replace("n = ", "m = ").replace("local n", "local m").replace("return n", "return m")})

    def test_strings(self):
        text = "def f(n):\n    s = f'{n}'\n    t = f\"{n:>{n}} {'a' + str(n)}\"\n    return s, n\n"
        self.changed({"a.py": text}, "a.py:f(@n)", "m", {"a.py": "def f(m):\n    s = f'{m}'\n    t = f\"{m:>{m}} {'a' + str(m)}\"\n    return s, m\n"})
        self.changed({"a.py": "N = 4\ndef f(x: 'pl.Tensor[[N], pl.FP16]'):\n    return x\n"}, "a.py:@N = 4", "M",
                     {"a.py": "M = 4\ndef f(x: 'pl.Tensor[[M], pl.FP16]'):\n    return x\n"})
        self.refused({"a.py": "__all__ = ['ff']\ndef ff(n):\n    return n\n"}, "a.py:@ff(n)", "g", "a.py:1")
        self.refused({"a.py": "F = 1\n", "b.py": "import a\nY = getattr(a, 'F')\n"}, "a.py:@F = 1", "G", "b.py:2")
        self.changed({"a.py": "F = 1\n", "b.py": "Y = 'F'\n"}, "a.py:@F = 1", "G", {"a.py": "G = 1\n"})

    def test_scopes_inside_expressions(self):
        text = "def f(n):\n    x = [n for n in range(n)]\n    y = lambda n: n\n    return n, x, y\n"
        self.changed({"a.py": text}, "a.py:f(@n)", "m",
                     {"a.py": "def f(m):\n    x = [n for n in range(m)]\n    y = lambda n: n\n    return m, x, y\n"})

    def test_modules(self):
        self.changed({"pk/__init__.py": "from .m import f\n", "pk/m.py": "def f(n):\n    return n\n",
                      "b.py": "import pk\nfrom pk import f\nX = pk.f(1) + f(2)\n"}, "pk/m.py:@f(n)", "g",
                     {"pk/__init__.py": "from .m import g\n", "pk/m.py": "def g(n):\n    return n\n",
                      "b.py": "import pk\nfrom pk import g\nX = pk.g(1) + g(2)\n"})
        self.refused({"a.py": "def f():\n    return 1\n", "b.py": "try:\n    from a import f\nexcept ImportError:\n    from c import f\nX = f()\n"},
                     "a.py:@f()", "g", "bound more than once")
        self.refused({"cfg.py": "TILE = 1\n", "sub/b.py": "from lib.cfg import TILE\nX = TILE\n"}, "cfg.py:@TILE", "G", "is not found")
        self.changed({"a.py": "import x.y as q\nZ = q.W\n", "x/y.py": "W = 3\n"}, "a.py:@q\n", "r", {"a.py": "import x.y as r\nZ = r.W\n"})

    def test_settings_that_name_it(self):
        self.refused({"placid.toml": "[defines]\nTILE = 32\n", "a.py": "TILE = 16\n"}, "a.py:@TILE", "G", "settings define")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    args, rest = parser.parse_known_args()
    features_test.SERVER[:] = shlex.split(args.server)
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
