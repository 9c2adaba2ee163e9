#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An edited text is told what the same text is told when it is opened for the first time. Programs are edited at random
(insert, delete, paste, undo, line ends, emoji, half-typed statements) in a session through the daemon; every few edits the
text is opened under a new name in a server without one, and both must say the same bytes: diagnostics, hints, lenses. Then
the same with a module that an open program imports: the edits are the module's, what is compared is the program's.

    tests/replay/edits_equal_cold.py --placid build/release/bin/placid [--edits N] [--every N] [--seed N] [FILE ...]

Without files: the case programs and the examples."""
import argparse
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from lsp_client import Client, position  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASTES = ["x", "\n", "\r", "    ", "(", ")", "[", "]", ":", ",", "16", "8 * ", "pl.", "pl.load(", "\r\n", "# \U0001F600 c\n", '"""', "\t", "é",
          "    t = pl.load(x, [0, 0], [16, 64])\n", "def f(", "@pl.function\n", "for i in pl.range(4):\n        ", "if True:\n", "\\\n", "'"]


def edit(text, source, history, original):
    """The next text, with the change that leads there. Often enough it begins with a program that is whole."""
    kind = source.randrange(9)
    if kind == 8:
        return original, {"text": original}
    at = source.randrange(len(text) + 1)
    end = at
    new = ""
    if kind in (0, 1):
        new = source.choice(PASTES)
    elif kind in (2, 3):
        end = min(len(text), at + source.randrange(1, 6))
    elif kind == 4:
        start = source.randrange(len(text) + 1)
        new = text[start : start + source.randrange(80)]
    elif kind == 5:
        line = text.rfind("\n", 0, at) + 1
        at, end = line, text.find("\n", line) + 1 or len(text)
    elif kind == 6 and history:
        back = history.pop()
        return back, {"text": back}
    else:
        new = str(source.choice((0, 1, 8, 15, 16, 24, 32, 64)))
    # Never between a carriage return and its line feed: no editor does.
    for point in (at, end):
        if 0 < point < len(text) and text[point - 1] == "\r" and text[point] == "\n":
            return text + "\n", {"range": {"start": position(text, len(text)), "end": position(text, len(text))}, "text": "\n"}
    changed = text[:at] + new + text[end:]
    return changed, {"range": {"start": position(text, at), "end": position(text, end)}, "text": new}


def told(client, uri):
    """The diagnostics of the newest text, and the reports behind its hints and lenses."""
    diagnostics = client.settled(uri)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 100000, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole}).get("result")
    lenses = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}).get("result")
    return json.dumps([diagnostics, hints, lenses], sort_keys=True)


MODULE = '''import pypto.language as pl

ROWS = 16
UNUSED = 3


class Sizes:
    WIDE = 64


def half(n):
    return n // 2


NARROW = half(32)


@pl.jit.inline
def scaled(t: pl.Tensor[[ROWS, 64], pl.FP32]) -> pl.Tensor[[ROWS, 64], pl.FP32]:
    u = pl.mul(t, 2.0)
    return u
'''
PROGRAM = '''import pypto.language as pl
import shared
from shared import NARROW, ROWS, Sizes, scaled


@pl.function(type=pl.FunctionType.InCore)
def first(x: pl.Tensor[[32, 64], pl.FP16], y: pl.Out[pl.Tensor[[32, 64], pl.FP16]]) -> pl.Tensor[[32, 64], pl.FP16]:
    t = pl.load(x, [NARROW, 0], [ROWS, Sizes.WIDE])
    return pl.store(t, [0, 0], y)


@pl.jit
def second(x: pl.Tensor[[16, 64], pl.FP32], y: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = x[0:16, 0:64]
        u = scaled(t)
        y[0 : shared.ROWS, 0:64] = u
    return y
'''


def module_edits(warm, cold, options):
    """What went wrong, or None; and how many comparisons there were."""
    source = random.Random(f"{options.seed} module")
    with tempfile.TemporaryDirectory(prefix="placid-replay-") as name:
        root = pathlib.Path(name)

        def place(folder, module):
            (root / folder).mkdir()
            (root / folder / "shared.py").write_text(module, encoding="utf-8", newline="")
            (root / folder / "kernels.py").write_text(PROGRAM)
            return [(root / folder / name).as_uri() for name in ("shared.py", "kernels.py")]

        shared, kernels = place("warm", MODULE)
        warm.open(shared, 0, MODULE)
        warm.open(kernels, 0, PROGRAM)
        warm.settled(kernels)
        text, history, compared = MODULE, [], 0
        for number in range(1, options.module_edits + 1):
            before = text
            text, change = edit(text, source, history, MODULE)
            history.append(before)
            history = history[-20:]
            warm.change(shared, number, [change])
            if number % options.every and number != options.module_edits:
                continue
            warm.settled(shared)
            got = told(warm, kernels).replace(str(root / "warm"), "F")
            folder = f"cold{compared}"
            _, other = place(folder, text)
            cold.open(other, 0, PROGRAM)
            want = told(cold, other).replace(str(root / folder), "F")
            cold.close(other)
            compared += 1
            if got != want:
                kept = pathlib.Path("edits_equal_cold.failed.py")
                kept.write_text(text, encoding="utf-8", newline="")
                return f"after edit {number} of the module (seed {options.seed}) the program is told\n{got}\nand the opened one\n{want}\nmodule: {kept}", compared
        warm.close(kernels)
        warm.close(shared)
        return None, compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--edits", type=int, default=30, help="for each file")
    parser.add_argument("--every", type=int, default=5, help="compare after so many edits")
    parser.add_argument("--files", dest="most", type=int, default=0, help="at most so many files, spread evenly")
    parser.add_argument("--module-edits", type=int, default=150, help="of a module that an open program imports")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = options.files or sorted([*(ROOT / "tests/cases").rglob("*.py"), *(ROOT / "examples").rglob("*.py")])
    if options.most and len(files) > options.most:
        files = files[:: -(-len(files) // options.most)]
    warm = Client([options.placid, "lsp"])
    cold = Client([options.placid, "lsp", "--no-daemon"])
    for client in (warm, cold):
        client.initialize()
    compared = 0
    edits = 0
    for file in files:
        source = random.Random(f"{options.seed} {file.name}")
        text = file.read_text(encoding="utf-8", errors="replace")
        uri = file.resolve().with_name("warm.py").as_uri()
        warm.open(uri, 0, text)
        original = text
        history = []
        for number in range(1, options.edits + 1):
            before = text
            text, change = edit(text, source, history, original)
            history.append(before)
            history = history[-20:]
            warm.change(uri, number, [change])
            edits += 1
            if number % options.every and number != options.edits:
                continue
            got = told(warm, uri)
            other = file.resolve().with_name(f"cold{compared % 10}{compared}.py")
            cold.open(other.as_uri(), 0, text)
            want = told(cold, other.as_uri())
            cold.close(other.as_uri())
            compared += 1
            if got.replace(uri, "F").replace(uri[7:], "F") != want.replace(other.as_uri(), "F").replace(str(other), "F"):
                kept = pathlib.Path("edits_equal_cold.failed.py")
                kept.write_text(text, encoding="utf-8")
                print(f"{file}: after edit {number} (seed {options.seed}) the edited text is told\n{got}\nand the opened one\n{want}\ntext: {kept}")
                return 1
        warm.close(uri)
    wrong, more = module_edits(warm, cold, options)
    if wrong:
        print(wrong)
        return 1
    warm.end()
    cold.end()
    print(f"{len(files)} files, {edits} edits, {compared} comparisons; {options.module_edits} edits of a module, {more} comparisons: all equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
