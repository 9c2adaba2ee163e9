#!/usr/bin/env python3
"""Runs the examples of docs/diagnostics/PLnnnn.md and the programs of examples/ through `placid check`.

Under "## Example" a line that ends in `# error`, `# warning`, `# info` or `# hint` must carry this page's code with that severity, and
no other line may carry any error or warning. Under "## How to fix" a program must be clean. A fence may name the chip:
```py arch=a5. In examples/ the marks name their code: `# error PL3105`; a program without marks must be clean.
Prints each failure with what was seen and ends with `N passed, M failed`.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```py([^\n]*)\n(.*?)^```$", re.M | re.S)
MARK = re.compile(r"#\s*(error|warning|info|hint)(?:\s+(PL\d{4}))?\s*$")
SEVERITY = {"error": "error", "warning": "warning", "info": "information", "hint": "hint"}

Program = collections.namedtuple("Program", "name text arch expected")


def expectations(text, code):
    """The set of (0-based line, code, severity) that the marks ask for."""
    out = set()
    for number, line in enumerate(text.splitlines()):
        found = MARK.search(line)
        if found:
            out.add((number, found[2] or code, SEVERITY[found[1]]))
    return out


def programs_of_page(page):
    code, text = page.stem, page.read_text()
    sections = re.split(r"^## ", text, flags=re.M)
    for section in sections[1:]:
        title = section.split("\n", 1)[0]
        for index, (info, program) in enumerate(FENCE.findall(section)):
            arch = re.search(r"\barch=(\w+)", info)
            expected = expectations(program, code)
            name = f"{code} {title.lower()}" + (f" {index + 1}" if index else "")
            if title == "Example" and not expected:
                raise SystemExit(f"{page}: the example marks no line")
            if title != "Example" and expected:
                raise SystemExit(f"{page}: only the example has marks")
            yield Program(name, program, arch and arch[1], expected)


def programs_of_examples(folder):
    for file in sorted(folder.glob("*.py")):
        text = file.read_text()
        yield Program(f"examples/{file.name}", text, None, expectations(text, None))


def run(placid, program, folder):
    """A failure text, or None."""
    path = pathlib.Path(folder) / (re.sub(r"\W+", "_", program.name) + ".py")
    path.write_text(program.text)
    command = [placid, "check", "--format", "json", "--no-daemon"] + (["--arch", program.arch] if program.arch else []) + [path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "did not end within 60 s"
    seen, summary = set(), None
    try:
        for line in done.stdout.splitlines():
            entry = json.loads(line)
            if "summary" in entry:
                summary = entry["summary"]
            else:
                seen.add((entry["range"]["start"]["line"], entry["code"], entry["severity"], entry["message"]))
    except (ValueError, KeyError) as error:
        return f"output is not as agreed ({error!r}): {done.stdout!r} {done.stderr!r}"
    errors = any(severity == "error" for _, _, severity, _ in seen)
    if summary is None or done.returncode != (1 if errors else 0):
        return f"exit code {done.returncode}, summary {summary}: {done.stderr.strip()}"
    # Information and hints count only where the page is about them.
    shown = {(line, code, severity) for line, code, severity, _ in seen}
    relevant = {entry for entry in shown if entry[2] in ("error", "warning") or entry in program.expected}
    if relevant == program.expected:
        return None
    lines = program.text.splitlines()
    out = []
    for line, code, severity in sorted(program.expected - relevant):
        out.append(f"missing {severity} {code} on line {line + 1}: {lines[line].strip()}")
    for line, code, severity, message in sorted(seen):
        if (line, code, severity) in relevant - program.expected:
            out.append(f"unexpected {severity} {code} on line {line + 1}: {message}")
    return "\n    ".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--placid", required=True, help="the placid program")
    parser.add_argument("--pages", type=pathlib.Path, default=ROOT / "docs" / "diagnostics")
    parser.add_argument("--examples", type=pathlib.Path, default=ROOT / "examples")
    parser.add_argument("--only", default="", help="run only programs whose name contains this")
    options = parser.parse_args()
    programs = [p for page in sorted(options.pages.glob("PL*.md")) for p in programs_of_page(page)]
    programs += programs_of_examples(options.examples)
    programs = [p for p in programs if options.only in p.name]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="placid-pages-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for program, failure in zip(programs, pool.map(lambda p: run(options.placid, p, folder), programs)):
            if failure:
                failed += 1
                print(f"FAILED {program.name}\n    {failure}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
