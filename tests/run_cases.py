#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the case programs of tests/cases against `placid check` and `placid inspect`.

A case is a PL program whose leading comment lines say what must come out (tests/cases/README.md describes them).
Beside the expectations of its header every case must show what holds for all output: lines that parse, a closing
summary that counts right, ranges inside the text, source order, slugs of the catalogue, equal bytes on a second run.
Hostile texts that cannot be stored as files are generated here.

Prints every failure and ends with `N passed, M failed`; exits 0 when all passed, 1 when not, 2 on wrong usage.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHS = {"a2a3": ["a3", "a2"], "any": ["a3", "a5"], "a2": ["a2"], "a3": ["a3"], "a5": ["a5"]}
FACT = re.compile(r"(?:L(\d+)\s+)?(\w+)=(?:\[(.*)\]|(-?\d+|none))\s*$")
LINES = ("related-line", "def-line", "alt-line")
LISTS = ("also", "warns", "may-warn")
WORDS = ("expect", "arch", "entry", "kernel", "kernels", "mentions", "help-mentions", "alt-kind", "slug", "at", "annotation", "absent")
FACTS = ("blocked", "strides", "offsets", "sizes", "tile", "untouched", "gap", "chunks")
READER = ("case", "row", "rule", "note")
#: What a header line looks like; prose about the case has more words before a colon, or none.
KEYED = re.compile(r"([a-z][a-z0-9-]*)\s*(?::|=\d+$)")
#: Begins a further module of a case: what follows is the text of that file, beside the case.
SECTION = re.compile(r"^# --- file: (\S+)\n", re.M)
#: Kinds that an access reports without being listed by `inspect` as load, store, slice or reshape.
UNLISTED = {"nz-consumer", "nz-view"}


class Failure(Exception):
    """One unmet expectation, in words."""


def require(condition, why):
    if not condition:
        raise Failure(why)


# --- texts and headers


@dataclasses.dataclass
class Header:
    words: dict = dataclasses.field(default_factory=dict)
    lines: dict = dataclasses.field(default_factory=dict)
    lists: dict = dataclasses.field(default_factory=lambda: {k: [] for k in LISTS})
    facts: list = dataclasses.field(default_factory=list)


def splitTopLevel(text):
    """Splits a bracket list at its top-level commas."""
    parts, depth, current = [], 0, ""
    for ch in text:
        depth += (ch in "([") - (ch in ")]")
        if ch == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += ch
    return [squeeze(p) for p in parts + [current] if p.strip()]


def squeeze(value):
    return str(value).replace(" ", "")


def parseHeader(text):
    header = Header()
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        body = line[1:].strip()
        numbered = re.fullmatch(r"([a-z-]+)=(\d+)", body)
        if numbered and numbered.group(1) in LINES:
            header.lines[numbered.group(1)] = int(numbered.group(2))
            continue
        key, _, rest = body.partition(":")
        rest = rest.strip()
        if key in WORDS:
            header.words[key] = rest
        elif key in LISTS:
            header.lists[key].append(rest)
        elif key in FACTS:
            found = FACT.match(rest)
            require(found, f"unreadable fact `{body}`")
            line_number = int(found.group(1)) if found.group(1) else None
            number = found.group(4)
            want = splitTopLevel(found.group(3)) if number is None else None if number == "none" else int(number)
            header.facts.append((key, line_number, found.group(2), want))
        elif key not in READER:
            unknown = KEYED.match(body)
            require(not unknown, f"unknown header `{unknown and unknown.group(1)}`")
    return header


class Text:
    """A file's text addressed the way the protocol does: 0-based lines, UTF-16 columns."""

    def __init__(self, data):
        self.text = data.decode("utf-8", "replace")
        self.lines = [line.encode("utf-16-le") for line in re.split(r"\r\n|\r|\n", self.text)]

    def holds(self, position):
        line, character = position["line"], position["character"]
        return 0 <= line < len(self.lines) and 0 <= character <= len(self.lines[line]) // 2

    def slice(self, range_):
        start, end = range_["start"], range_["end"]
        if start["line"] == end["line"]:
            parts = [self.lines[start["line"]][2 * start["character"] : 2 * end["character"]]]
        else:
            parts = [self.lines[start["line"]][2 * start["character"] :]]
            parts += self.lines[start["line"] + 1 : end["line"]]
            parts.append(self.lines[end["line"]][: 2 * end["character"]])
        return "\n".join(p.decode("utf-16-le", "replace") for p in parts)


# --- running


@dataclasses.dataclass
class Options:
    placid: str
    timeout: float
    catalog: dict


def run(options, *arguments):
    try:
        done = subprocess.run([options.placid, *arguments], capture_output=True, timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"`{arguments[0]}` did not end within {options.timeout:g} s") from None
    return done


def runCheck(options, paths, *flags):
    return run(options, "check", "--format", "json", "--no-daemon", *flags, *map(str, paths))


def lineOf(diagnostic):
    return diagnostic["range"]["start"]["line"] + 1


def describe(diagnostic):
    return f"{diagnostic['severity']} {diagnostic['slug']} at line {lineOf(diagnostic)}: {diagnostic['message'][:140]}"


def sortKey(diagnostic):
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    return (diagnostic["path"], start["line"], start["character"], end["line"], end["character"], diagnostic["code"])


def readCheckOutput(done, options, texts):
    """What must hold for every `check --format json`; returns the diagnostics and the summary."""
    stderr = done.stderr.decode("utf-8", "replace").strip()
    require(done.returncode in (0, 1), f"check exited {done.returncode}: {stderr[-200:]}")
    require(not stderr, f"check wrote to stderr: {stderr[-200:]}")
    out = done.stdout.decode("utf-8")
    require(out.endswith("\n"), "the output does not end with a newline")
    objects = [json.loads(line) for line in out.splitlines()]
    require(objects and list(objects[-1]) == ["summary"], "the last line is not the summary")
    summary, diagnostics = objects[-1]["summary"], objects[:-1]
    require(list(summary) == ["files", "kernels", "errors", "warnings"], f"keys of the summary: {list(summary)}")
    for d in diagnostics:
        for key in ("code", "slug", "severity", "path", "range", "message"):
            require(key in d, f"a diagnostic without `{key}`: {d}")
        require(re.fullmatch(r"PL\d{4}", d["code"]), f"code {d['code']}")
        require(d["severity"] in ("error", "warning", "information", "hint"), f"severity {d['severity']}")
        require(d["slug"] != "internal-error", f"internal error: {d['message'][:200]}")
        if options.catalog:
            require(options.catalog.get(d["code"]) == d["slug"], f"{d['code']} is not {d['slug']} in the catalogue")
        places = [(d["path"], d["range"])] + [(r["path"], r["range"]) for r in d.get("related", [])]
        if d.get("annotation"):
            places.append((d["annotation"]["path"], d["annotation"]["range"]))
        for path, range_ in places:
            require(path in texts, f"path {path} is not one that was given")
            start, end = range_["start"], range_["end"]
            require(texts[path].holds(start) and texts[path].holds(end), f"{d['slug']}: range {range_} is outside the text")
            require((start["line"], start["character"]) <= (end["line"], end["character"]), f"{d['slug']}: range {range_} runs backwards")
    require([sortKey(d) for d in diagnostics] == sorted(sortKey(d) for d in diagnostics), "the diagnostics are not sorted")
    for severity, key in (("error", "errors"), ("warning", "warnings")):
        count = sum(d["severity"] == severity for d in diagnostics)
        require(summary[key] == count, f"summary says {summary[key]} {key}, the lines are {count}")
    require(done.returncode == (1 if summary["errors"] else 0), f"exit status {done.returncode} with {summary['errors']} errors")
    return diagnostics, summary


# --- judging one case


def slugsOf(kind):
    return {kind, "nz-" + kind, "pro-" + kind}


def parseKinds(text):
    return [k.strip() for k in text.split(",") if k.strip()]


def parseExpectation(text):
    """`reject <kind> line=<N>` or `<severity> <kind> line=<N>`: the kind and the line, which may be absent."""
    found = re.fullmatch(r"\w+ ([\w*-]+)(?: line=(\d+))?", text)
    require(found, f"unreadable expectation `{text}`")
    return found.group(1), found.group(2) and int(found.group(2))


def splitModules(data):
    """The case's own text, and the further modules in it by name."""
    parts = SECTION.split(data.decode("utf-8", "replace"))
    return parts[0], dict(zip(parts[1::2], parts[2::2]))


class Judge:
    def __init__(self, path, data, options):
        self.path = str(path)
        self.options = options
        self.modules = {}
        if SECTION.search(data.decode("utf-8", "replace")):
            own, modules = splitModules(data)
            self.folder = tempfile.TemporaryDirectory()
            base = pathlib.Path(self.folder.name)
            self.path = str(base / pathlib.Path(path).name)
            data = own.encode()
            for name, text in [(pathlib.Path(path).name, own), *modules.items()]:
                (base / name).parent.mkdir(parents=True, exist_ok=True)
                (base / name).write_text(text, encoding="utf-8")
                self.modules[str(base / name)] = Text(text.encode())
        self.text = Text(data)
        self.header = parseHeader(self.text.text)

    def word(self, key, default=""):
        return self.header.words.get(key, default)

    def run(self):
        archs = ARCHS.get(self.word("arch", "a3"))
        require(archs, f"unknown arch `{self.word('arch')}`")
        for index, arch in enumerate(archs):
            try:
                self.runArch(arch, twice=index == 0)
            except Failure as failure:
                raise Failure(f"[{arch}] {failure}") from None

    def runArch(self, arch, twice):
        done = runCheck(self.options, [self.path], "--arch", arch)
        if twice:
            again = runCheck(self.options, [self.path], "--arch", arch)
            require(again.stdout == done.stdout, "check gives other bytes on a second run")
        diagnostics, summary = readCheckOutput(done, self.options, {self.path: self.text, **self.modules})
        require(summary["files"] == 1, f"summary counts {summary['files']} files")
        if "kernels" in self.header.words:
            require(summary["kernels"] == int(self.word("kernels")), f"summary counts {summary['kernels']} kernels, not {self.word('kernels')}")
        self.judgeDiagnostics(diagnostics)
        self.judgeInspect(arch, twice, diagnostics)

    def judgeDiagnostics(self, diagnostics):
        for d in diagnostics:
            if d["slug"].startswith("nz-") and self.word("annotation") != "none":
                require(d.get("annotation"), f"{d['slug']} without its annotation")
                shown = self.text.slice(d["annotation"]["range"])
                wanted = self.word("annotation")
                require(shown == wanted if wanted else "NZ" in shown, f"{d['slug']}: the annotation range holds `{shown}`")
        open_ = [d for d in diagnostics if d["severity"] in ("error", "warning")]
        kind, *_ = self.word("expect").split()
        if kind == "reject":
            self.takePrimary(open_)
        elif kind == "any":
            expected, line = parseExpectation(self.word("expect"))
            allowed = set().union(*(slugsOf(k) for k in [expected, *parseKinds(self.word("alt-kind"))]))
            hits = [d for d in open_ if d["slug"] in allowed and line in (None, lineOf(d))]
            open_ = [d for d in open_ if d not in hits]
        else:
            require(kind == "ok", f"unknown expectation `{self.word('expect')}`")
        for text in self.header.lists["also"]:
            severity = text.split()[0]
            quiet = [d for d in diagnostics if d["severity"] == severity]
            self.take(open_ if severity in ("error", "warning") else quiet, severity, *parseExpectation(text))
        for text in self.header.lists["warns"]:
            self.take(open_, "warning", *parseExpectation("warning " + text))
        tolerated = set().union(*(slugsOf(k) for t in self.header.lists["may-warn"] for k in parseKinds(t)))
        left = [d for d in open_ if not (d["severity"] == "warning" and d["slug"] in tolerated)]
        require(not left, "unexpected " + "; ".join(describe(d) for d in left))

    def take(self, open_, severity, kind, line):
        for d in open_:
            if d["severity"] == severity and d["slug"] in slugsOf(kind) and line in (None, lineOf(d)):
                open_.remove(d)
                return d
        raise Failure(f"expected {severity} {kind} at line {line}, got " + ("; ".join(describe(d) for d in open_) or "nothing more"))

    def takePrimary(self, open_):
        kind, line = parseExpectation(self.word("expect"))
        kinds = [kind, *parseKinds(self.word("alt-kind"))]
        slugs = set().union(*(slugsOf(k) for k in kinds))
        if "slug" in self.header.words:
            slugs = {self.word("slug"), *slugs - slugsOf(kind)}
        lines = {line, self.header.lines.get("alt-line", line)}
        found = [d for d in open_ if d["severity"] == "error" and d["slug"] in slugs and lineOf(d) in lines]
        require(found, f"expected {kind} at line {line}, got " + ("; ".join(describe(d) for d in open_) or "no diagnostic"))
        primary = found[0]
        open_.remove(primary)
        self.judgePrimary(primary, kind)

    def judgePrimary(self, d, kind):
        related = d.get("related", [])
        if d["slug"].startswith("nz-"):
            annotated = [lineOf(r) for r in related] + ([lineOf(d["annotation"])] if d.get("annotation") else [])
            if "related-line" in self.header.lines:
                require(self.header.lines["related-line"] in annotated, f"{d['slug']}: line {self.header.lines['related-line']} is not related ({annotated})")
            if "def-line" in self.header.lines:
                bound = [lineOf(r) for r in related]
                require(self.header.lines["def-line"] in bound, f"{d['slug']}: the binding in line {self.header.lines['def-line']} is not related ({bound})")
        if "at" in self.header.words and d["slug"] in slugsOf(kind):
            shown = self.text.slice(d["range"])
            require(shown in [a.strip() for a in self.word("at").split("||")], f"{d['slug']}: the range holds `{shown}`, not `{self.word('at')}`")
        expected = self.word("kernel", self.word("entry"))
        if expected and expected != "none":
            require(d.get("kernel") == expected, f"{d['slug']}: kernel `{d.get('kernel')}`, not `{expected}`")
        text = " ".join([d["message"], *(r["message"] for r in related)])
        self.mustHold(d, text, self.word("mentions"), "message")
        fixes = " ".join(f["title"] for f in d.get("fixes", []))
        self.mustHold(d, text + " " + fixes, self.word("help-mentions"), "message or fixes")
        if self.word("absent"):
            said = d["message"] + " " + fixes
            require(self.word("absent").lower() not in said.lower(), f"{d['slug']}: the message or a fix says `{self.word('absent')}`: {said}")

    @staticmethod
    def mustHold(d, text, words, where):
        for word in filter(None, (w.strip() for w in words.split(";"))):
            require(word.lower() in text.lower(), f"{d['slug']}: no `{word}` in {where}: {text[:300]}")

    # --- inspect

    def judgeInspect(self, arch, twice, diagnostics):
        arguments = ("inspect", "--format", "json", "--no-daemon", "--arch", arch, self.path)
        done = run(self.options, *arguments)
        if twice:
            require(run(self.options, *arguments).stdout == done.stdout, "inspect gives other bytes on a second run")
        errors = [d for d in diagnostics if d["severity"] == "error"]
        require(done.returncode == (1 if errors else 0), f"inspect exited {done.returncode} where check has {len(errors)} errors: {done.stderr.decode('utf-8', 'replace')[-200:]}")
        try:
            document = json.loads(done.stdout)
        except json.JSONDecodeError as error:
            raise Failure(f"inspect printed no JSON: {error}") from None
        require(document["path"] == self.path and document["arch"] == arch, f"inspect heads its answer {document['path']}, {document['arch']}")
        tensors = [t for k in document["kernels"] for t in k.get("tensors", [])]
        accesses = [a for k in document["kernels"] for a in k.get("accesses", [])]
        chunks = [c for k in document["kernels"] for c in k.get("chunks", [])]
        for item in tensors:
            if item.get("rejected"):
                require(not item.get("blocked"), f"inspect: rejected tensor {item['name']} has a blocked shape")
        for item in accesses:
            if item.get("rejected"):
                require(not item.get("offsets") and not item.get("sizes"), f"inspect: the rejected access in line {item['line']} has coordinates")
        refused = {i["rejected"] for i in tensors + accesses if i.get("rejected")}
        wanted = {d["slug"] for d in errors if d["slug"].startswith("nz-")} - UNLISTED
        require(wanted <= refused, f"inspect does not list what is refused as {sorted(wanted - refused)}")
        for fact in self.header.facts:
            self.judgeFact(fact, tensors, accesses, chunks)

    @staticmethod
    def judgeFact(fact, tensors, accesses, chunks):
        key, line, name, want = fact
        shown = f"{key} of {name}" + ("" if line is None else f" in line {line}")
        if key == "chunks":
            got = [[p[1] * p[4] for p in c["partitions"]] for c in chunks if c["tensor"] == name and line in (None, c["store"])]
            require([squeeze(v) for v in want] in [[squeeze(v) for v in g] for g in got], f"{shown}: {got}, not {want}")
            return
        if key in ("blocked", "strides", "untouched"):
            items = [t for t in tensors if t["name"] == name]
            field = "logical" if key == "untouched" else key
        else:
            role = "result" if key == "tile" else "tensor"
            items = [a for a in accesses if a.get(role) == name and line in (None, a["line"])]
            field = "gapBlocks" if key == "gap" else key
        require(items, f"inspect does not list {name}" + ("" if line is None else f" in line {line}"))
        got = [i.get(field) for i in items]
        if key == "gap":
            require(want in got, f"{shown}: {got}, not {want}")
            return
        got = [[squeeze(v) for v in g or []] for g in got]
        require(want in got, f"{shown}: {got}, not {want}")
        if key == "untouched":
            require(not any(t.get("blocked") or t.get("layout") == "NZ" for t in items), f"{name} must stay ND")


# --- texts that are made here, and whole folders

GOOD = """import pypto.language as pl


@pl.program
class Generated:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [32, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
"""
BAD = GOOD.replace("[32, 0]", "[24, 0]")


def generatedCases():
    """Name, bytes, and the errors that must come out: a slug with its 1-based line (or None), or nothing."""
    good, bad = GOOD.encode(), BAD.encode()
    deep = GOOD.replace("[32, 0]", "[" + "(" * 5000 + "32" + ")" * 5000 + ", 0]").encode()
    long_sum = GOOD.replace("[32, 0]", "[" + "+".join(["0"] * 3000) + "+32, 0]").encode()
    yield "empty", b"", []
    yield "only_newlines", b"\n\r\n\n", []
    yield "only_comments", b"# import pypto.language as pl\n", []
    yield "nul_byte", good.replace(b"class Generated", b"class Gen\0erated"), [("nul-byte", 5)]
    yield "nul_at_the_end", good + b"\0", [("nul-byte", None)]
    yield "invalid_utf8", good.replace(b"res)\n", b"res)  # \xff\xfe\n", 1), [("invalid-utf8", None)]
    yield "truncated_utf8", good + b"# \xf0\x9f\x9a", [("invalid-utf8", None)]
    yield "surrogate_utf8", good + b"# \xed\xa0\x80\n", [("invalid-utf8", None)]
    yield "byte_order_mark", b"\xef\xbb\xbf" + bad, [("nz-offset-align", 14)]
    yield "carriage_returns_only_at_some_ends", bad.replace(b"\n", b"\r\n", 9), [("nz-offset-align", 14)]
    yield "deep_nesting", deep, [("nested-too-deep", None)]
    yield "long_sum", long_sum, None
    yield "long_line", good.replace(b"class Generated:", b"class Generated:  #" + b" x" * 200000), []
    yield "truncated_in_a_call", bad[: bad.index(b"target_memory")], [("syntax-error", None)]
    yield "line_separator_in_string", bad.replace(b"        b = ", '        "\u2028\u0085"; b = '.encode()), [("nz-offset-align", 14)]
    for cut in range(7, len(bad), 61):
        yield f"cut_at_{cut}", bad[:cut], None


def judgeGenerated(folder, name, data, wanted, options):
    path = folder / f"{name}.py"
    path.write_bytes(data)
    done = runCheck(options, [path])
    diagnostics, _ = readCheckOutput(done, options, {str(path): Text(data)})
    if wanted is None:
        return
    errors = [d for d in diagnostics if d["severity"] == "error"]
    for slug, line in wanted:
        require(any(d["slug"] == slug and line in (None, lineOf(d)) for d in errors), f"no {slug} at line {line}: {[describe(d) for d in errors][:3]}")
    require(bool(wanted) or not errors, f"unexpected {[describe(d) for d in errors][:3]}")


def judgeFolder(folder, options):
    """A folder is every file below it that imports a PL dialect, in path order, with one summary."""
    base = folder / "tree"
    (base / "sub").mkdir(parents=True)
    files = {"z_last.py": BAD, "a_first.py": GOOD, "sub/middle.py": BAD, "plain.py": "print('no kernel here')\n", "notes.txt": BAD}
    for name, text in files.items():
        (base / name).write_text(text, encoding="utf-8")
    texts = {str(base / n): Text(t.encode()) for n, t in files.items() if n.endswith(".py")}
    diagnostics, summary = readCheckOutput(runCheck(options, [base]), options, texts)
    require(summary == {"files": 3, "kernels": 3, "errors": 2, "warnings": 0}, f"summary of the folder: {summary}")
    require([d["path"] for d in diagnostics] == [str(base / "sub/middle.py"), str(base / "z_last.py")], f"paths {[d['path'] for d in diagnostics]}")


def judgeUsage(folder, options):
    """Wrong usage and unreadable input exit 2."""
    good = folder / "usage.py"
    good.write_text(GOOD, encoding="utf-8")
    for arguments in (["check", "--no-daemon", str(folder / "missing.py")], ["check", "--no-daemon", "--arch", "a9", str(good)],
                      ["check", "--no-daemon", "--format", "runes", str(good)], ["check", "--no-daemon"], ["check", "--no-daemon", "--no-such-flag", str(good)]):
        done = run(options, *arguments)
        require(done.returncode == 2, f"`{' '.join(arguments[:3])} …` exited {done.returncode}, not 2")
        require(done.stderr.strip(), f"`{' '.join(arguments[:3])} …` says nothing on stderr")


# --- the run


def loadCatalog(path):
    if not path.is_file():
        return {}
    rows = re.findall(r"^DIAG\((\d+),\s*\w+,\s*\"([\w-]+)\"", path.read_text(encoding="utf-8"), re.M)
    return {f"PL{number}": slug for number, slug in rows}


def collect(paths):
    files = []
    for path in paths:
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [f for f in files if f.read_bytes().startswith(b"# ") and re.search(rb"^# expect:", f.read_bytes(), re.M)]


def attempt(name, judge):
    try:
        judge()
    except Failure as failure:
        return name, str(failure)
    except Exception as error:  # A malformed answer is a failure of the case, never of the run.
        return name, f"{type(error).__name__}: {error}"
    return name, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="case files or folders (default: tests/cases and the generated texts)")
    parser.add_argument("--placid", default=str(ROOT / "build/release/bin/placid"), help="the client program")
    parser.add_argument("--filter", default="", help="only cases whose path matches this regular expression")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30, help="seconds for one process")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    arguments = parser.parse_args()
    if not arguments.list and not os.access(arguments.placid, os.X_OK):
        parser.error(f"no client program at {arguments.placid}")
    options = Options(arguments.placid, arguments.timeout, loadCatalog(ROOT / "compiler/diagnostics/catalog.def"))
    files = [f for f in collect(arguments.paths or [ROOT / "tests/cases"]) if re.search(arguments.filter, str(f))]
    if arguments.list:
        print("\n".join(map(str, files)))
        return 0

    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        names = [str(f) if arguments.paths else os.path.relpath(f) for f in files]
        tasks = [(n, lambda n=n: Judge(n, pathlib.Path(n).read_bytes(), options).run()) for n in names]
        if not arguments.paths:
            made = [(f"generated/{n}", lambda n=n, d=d, w=w: judgeGenerated(folder, n, d, w, options)) for n, d, w in generatedCases()]
            made += [("generated/folder", lambda: judgeFolder(folder, options)), ("generated/usage", lambda: judgeUsage(folder, options))]
            tasks += [t for t in made if re.search(arguments.filter, t[0])]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(lambda task: attempt(*task), tasks))
    failures = [(name, why) for name, why in results if why]
    for name, why in failures:
        print(f"{name}: {why}")
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not results else 0


if __name__ == "__main__":
    sys.exit(main())
