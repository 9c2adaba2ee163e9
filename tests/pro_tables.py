#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two tables of pypto_pro's page on TensorLayout, row by row, against `placid check`, and that every rule of the dialect has
a case that it refuses and one that it accepts. What each memory has without a layout is in lsp/pro_features_test.py, as the hints that
editors show, and for A3 in compiler/pro/layout. `--list` prints what covers which row.

    tests/pro_tables.py --placid build/release/bin/placid [--list]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "tests/cases/pro/rules"
LAYOUTS = ["ND", "DN", "NZ", "ZN", "ZZ", "NN"]
# Which layouts a GM tensor may have. DN is read, and is no storage form: a warning.
TENSOR = {"ND": None, "NZ": None, "DN": "pro-tensor-layout-dn", "ZN": "pro-tensor-layout", "ZZ": "pro-tensor-layout", "NN": "pro-tensor-layout"}
# Memory: dtype and shape to try, the default on A3 and on A5 ("-": the memory is not there), all that is allowed.
MEMORIES = [
    ("Vec", "FP16", (64, 64), "ND", "ND", "ND DN NZ"),
    ("Vec", "FP32", (64, 64), "ND", "ND", "ND DN NZ"),
    ("Mat", "FP16", (64, 64), "NZ", "NZ", "NZ ZN"),
    ("Mat", "FP32", (64, 64), "NZ", "NZ", "NZ ZN"),
    ("Mat", "INT8", (64, 64), "NZ", "NZ", "NZ ZN"),
    ("Mat", "FP8E4M3FN", (64, 64), "NZ", "NZ", "NZ ZN"),
    ("Mat", "FP8E8M0", (64, 64), "NZ", "NZ", "NZ ZN ZZ NN"),
    ("Mat", "UINT64", (64, 64), "NZ", "NZ", "NZ ZN ND"),
    ("Mat", "INT64", (64, 64), "NZ", "NZ", "NZ ZN ND"),
    ("Left", "FP16", (64, 64), "ZZ", "NZ", "ZZ NZ"),
    ("Left", "INT8", (64, 64), "ZZ", "NZ", "ZZ NZ"),
    ("Right", "FP16", (64, 64), "ZN", "ZN", "ZN"),
    ("Right", "FP32", (64, 64), "ZN", "ZN", "ZN"),
    ("Acc", "FP32", (64, 64), "NZ", "NZ", "NZ"),
    ("Acc", "INT32", (64, 64), "NZ", "NZ", "NZ"),
    ("Scaling", "UINT64", (1, 64), "ND", "ND", "ND"),
    ("Scaling", "INT64", (1, 64), "ND", "ND", "ND"),
    ("ScaleLeft", "FP8E8M0", (64, 4), "-", "ZZ", "ZZ"),
    ("ScaleRight", "FP8E8M0", (4, 64), "-", "NN", "NN"),
]
# Elements of a 32-byte line for each dtype of the page, and what a 37 x 90 plane takes.
LINES = {"INT8": 32, "FP8E4M3FN": 32, "FP8E5M2": 32, "FP8E8M0": 32, "HF8": 32, "FP4E2M1": 64, "FP4E1M2": 64, "FP16": 16, "BF16": 16, "FP32": 8, "INT32": 8}


class Program:
    """Kernels, each about one row; `rows` says which line is about what."""

    def __init__(self):
        self.lines, self.rows = ["import pypto_pro.language as pl", ""], {}

    def kernel(self, row, parameter, statement):
        self.lines += ["", "@pl.jit", f"def k{len(self.lines)}(", f"    {parameter},", "):", f"    {statement}", ""]
        about = parameter if statement == "pass" else statement
        self.rows[len(self.lines) - (3 if about is parameter else 1)] = row


def tile(space, dtype, shape, layout):
    given = f", layout=pl.{layout}" if layout else ""
    return f"t = pl.TileType(shape={list(shape)}, dtype=pl.DT_{dtype}, target_memory=pl.MemorySpace.{space}{given})"


def ask(options, arch, text):
    with tempfile.TemporaryDirectory(prefix="placid tables ") as folder:
        source = pathlib.Path(folder) / "rows.py"
        source.write_text(text, encoding="utf-8")
        done = subprocess.run([options.placid, "check", "--no-daemon", "--format", "json", "--arch", arch, str(source)],
                              capture_output=True, text=True, timeout=options.timeout, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]


def judged(options, arch, program):
    """Row to the slugs of what is said on its line."""
    said = {row: [] for row in program.rows.values()}
    for one in ask(options, arch, "\n".join(program.lines) + "\n"):
        if "summary" not in one and one["severity"] in ("error", "warning"):
            row = program.rows.get(one["range"]["start"]["line"] + 1)
            said.setdefault(row, []).append((one["severity"], one.get("slug", one["code"])))
    return said


def tensors(options, wrong, listed):
    program = Program()
    for layout in LAYOUTS:
        shown = f"x: pl.Tensor[[64, 64], pl.DT_FP16, pl.{layout}]"
        program.kernel(("tensor", layout), shown, "pass")
    program.kernel(("tensor", "default"), "x: pl.Tensor[[64, 64], pl.DT_FP16]", "pass")
    said = judged(options, "a5", program)
    for layout, expected in {**TENSOR, "default": None}.items():
        found = said[("tensor", layout)]
        severity = "warning" if layout == "DN" else "error"
        fits = found == ([] if expected is None else [(severity, expected)])
        listed.append(f"a GM tensor declared {layout}: {'accepted' if expected is None else expected}")
        if not fits:
            wrong.append(f"tensor {layout}: {found}, expected {expected}")


def tiles(options, wrong, listed):
    for arch, column in (("a3", 3), ("a5", 4)):
        program = Program()
        for space, dtype, shape, *_ in MEMORIES:
            for layout in LAYOUTS:
                program.kernel((space, dtype, layout), "x: pl.Tensor[[64, 64], pl.DT_FP16]", tile(space, dtype, shape, layout))
        said = judged(options, arch, program)
        for row in MEMORIES:
            space, dtype, _, _, _, allowed = row
            for layout in LAYOUTS:
                found = [(severity, slug) for severity, slug in said[(space, dtype, layout)]]
                errors = [slug for severity, slug in found if severity == "error"]
                expected = "refused" if row[column] == "-" or layout not in allowed.split() else "accepted"
                listed.append(f"{arch}: {space} of {dtype} as {layout}: {expected}")
                if bool(errors) != (expected == "refused"):
                    wrong.append(f"{arch}: {space} {dtype} {layout}: {found}, expected to be {expected}")


def storage(options, wrong, listed):
    for dtype, line in LINES.items():
        text = f"import pypto_pro.language as pl\n\n\n@pl.jit\ndef k(x: pl.Tensor[[3, 37, 90], pl.DT_{dtype}, pl.NZ]):\n    pass\n"
        rows, columns = 48, (90 + line - 1) // line * line
        message = [one["message"] for one in ask(options, "a5", text) if one.get("code") and str(rows) in one["message"]]
        listed.append(f"a 37 x 90 NZ plane of {dtype}: {rows} x {columns}")
        if not any(f"{rows} x {columns} elements" in one for one in message):
            wrong.append(f"storage of {dtype}: {message}, expected {rows} x {columns}")


def rules(wrong, listed):
    """Each rule by its number: a case that is refused, and the same program made right."""
    found = {}
    for case in sorted(RULES.glob("*.py")):
        number, slug, kind = re.fullmatch(r"(\d{3})_(\w+)_(bad|ok)\.py", case.name).groups()
        head = dict(re.findall(r"^# ([\w-]+): (.*)$", case.read_text(encoding="utf-8"), re.M))
        found.setdefault(number, {})[kind] = (slug, head)
    for number in range(1, 126):
        both = found.get(f"{number:03}", {})
        if set(both) != {"bad", "ok"}:
            wrong.append(f"rule {number}: has {sorted(both)}, not a violating and an accepted case")
            continue
        (slug, bad), (other, good) = both["bad"], both["ok"]
        expected = bad.get("expect", "") + bad.get("warns", "") + bad.get("also", "")
        listed.append(f"rule {number} ({slug}): {bad['rule']}")
        if slug != other or bad.get("rule") != good.get("rule"):
            wrong.append(f"rule {number}: its two cases are about two rules")
        if slug.replace("_", "-") not in expected and not bad.get("expect", "").startswith("reject"):
            wrong.append(f"rule {number}: its violating case expects `{expected}`")
        if not good.get("expect", "").startswith("ok"):
            wrong.append(f"rule {number}: its accepted case expects `{good.get('expect')}`")
    extra = sorted(set(found) - {f"{number:03}" for number in range(1, 126)})
    if extra:
        wrong.append(f"rules without a number of the table: {extra}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", default=str(ROOT / "build/release/bin/placid"))
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--list", action="store_true", help="print what covers which row")
    options = parser.parse_args()
    wrong, listed = [], []
    tensors(options, wrong, listed)
    tiles(options, wrong, listed)
    storage(options, wrong, listed)
    rules(wrong, listed)
    if options.list:
        print("\n".join(listed))
    print("\n".join(wrong) if wrong else f"{len(listed)} rows and rules are covered")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
