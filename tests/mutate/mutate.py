#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds one-token mistakes into kernel files and counts how many placid reports on the right statement.

    tests/mutate/mutate.py --placid build/release/bin/placid FOLDER… [--count 200] [--seed 1] [--class NAME] [--found]

Every class of mistake below says why its result is surely wrong, so that a silent placid is a miss and never a matter of taste.
The folders are copied first; nothing in them is changed. Files in which placid already finds an error are left out. A mistake
counts as found when a new error lies on a statement of the mistake: the changed one, or where the class says so the one that
needs what was changed. Prints the rate by class, then misses and crashes. Exits 0 when at least --rate of them are found and
nothing crashed, 1 otherwise, 2 on wrong usage. A program, not a test: its inputs are not part of this repository.
"""
import argparse
import ast
import collections
import concurrent.futures
import dataclasses
import json
import pathlib
import queue
import random
import shutil
import subprocess
import sys
import tempfile

HUGE = "1000003"  # prime, more bytes than any on-chip memory has, more than any static extent in practice
DTYPES = {"FP32", "FP16", "BF16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "BOOL", "INDEX"}


@dataclasses.dataclass
class Mistake:
    name: str
    path: str
    line: int  # 1-based, of the token
    begin: int  # byte columns
    end: int
    new: str
    spans: list  # statements on which a report counts, as (first line, last line)
    old: str = ""


@dataclasses.dataclass
class Kernel:
    node: ast.FunctionDef
    locals: set
    static: dict  # parameter -> list of whether each extent is surely static
    nested: dict  # node -> parent


def pathOf(node):
    """`pl.tile.load` of an attribute chain that starts at a name; empty otherwise."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def isDialect(path):
    return path.startswith(("pl.", "pld."))


class Source:
    """One file: its kernels, and the mistakes that can be made in it."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tree = ast.parse(text)
        self.lines = text.encode("utf-8").split(b"\n")
        self.module = self.moduleNames()
        self.everyName = {n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)}
        self.kernels = [self.kernel(n) for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef) and self.isKernel(n)]

    def moduleNames(self):
        """Names bound at module level, and whether each surely is a number there."""
        out = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                out[node.targets[0].id] = "dynamic" not in ast.dump(node.value)
        return out

    @staticmethod
    def isKernel(node):
        paths = [pathOf(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list]
        return any(p.startswith("pl.jit") or p in ("pl.function", "pl.inline") for p in paths) and "pl.jit.extern" not in paths

    def isStatic(self, node):
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.Name):
            return self.module.get(node.id, False)
        if isinstance(node, ast.BinOp):
            return self.isStatic(node.left) and self.isStatic(node.right)
        return False

    def kernel(self, node):
        bound = {a.arg for a in node.args.args}
        nested = {}
        for parent in ast.walk(node):
            for child in ast.iter_child_nodes(parent):
                nested[child] = parent
            if isinstance(parent, ast.Name) and isinstance(parent.ctx, ast.Store):
                bound.add(parent.id)
        static = {}
        dynamic = {c.func.value.id for c in ast.walk(node) if isinstance(c, ast.Call) and isinstance(c.func, ast.Attribute) and c.func.attr == "bind_dynamic" and isinstance(c.func.value, ast.Name)}
        for argument in node.args.args:
            shape = self.annotatedShape(argument.annotation)
            if shape is not None and argument.arg not in dynamic:
                static[argument.arg] = [self.isStatic(d) for d in shape]
        return Kernel(node, bound, static, nested)

    @staticmethod
    def annotatedShape(annotation):
        while isinstance(annotation, ast.Subscript) and pathOf(annotation.value) in ("pl.Out", "pl.InOut"):
            annotation = annotation.slice
        if isinstance(annotation, ast.Subscript) and pathOf(annotation.value) in ("pl.Tensor", "pld.DistributedTensor"):
            inner = annotation.slice
            if isinstance(inner, ast.Tuple) and isinstance(inner.elts[0], ast.List):
                return inner.elts[0].elts
        return None

    # --- making mistakes

    def statementOf(self, kernel, node):
        while node in kernel.nested and not isinstance(node, ast.stmt):
            node = kernel.nested[node]
        if isinstance(node, (ast.For, ast.With, ast.If, ast.While)):
            return node.lineno, node.body[0].lineno - 1 if node.body[0].lineno > node.lineno else node.lineno
        if isinstance(node, ast.FunctionDef):
            return node.lineno, node.body[0].lineno
        return node.lineno, node.end_lineno

    def at(self, name, node, new, spans):
        if node.lineno != node.end_lineno:
            return None
        old = self.lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode("utf-8")
        return Mistake(name, self.path, node.lineno, node.col_offset, node.end_col_offset, new, spans, old)

    def attribute(self, name, node, new, spans):
        """Only the last name of an attribute chain."""
        if node.lineno != node.end_lineno:
            return None
        begin = node.end_col_offset - len(node.attr)
        return Mistake(name, self.path, node.lineno, begin, node.end_col_offset, new, spans, node.attr)

    def keyword(self, name, node, new, spans):
        return Mistake(name, self.path, node.lineno, node.col_offset, node.col_offset + len(node.arg), new, spans, node.arg)

    def isDead(self, kernel, node):
        """Under an `if` whose condition a constant may decide: not checked when it is false."""
        while node in kernel.nested:
            parent = kernel.nested[node]
            if isinstance(parent, ast.If) and node is not parent.test:
                return True
            if isinstance(parent, ast.arguments):
                return False
            node = parent
        return False

    def mistakes(self):
        for kernel in self.kernels:
            body = [n for stmt in kernel.node.body for n in ast.walk(stmt)]
            # A kernel inside a builder may never be built; one at module level or in a class is always checked.
            if kernel.node.col_offset not in (0, 4):
                continue
            live = [n for n in body if not self.isDead(kernel, n) and hasattr(n, "lineno")]
            made = [*self.names(kernel, live), *self.calls(kernel, live), *self.windows(kernel, live), *self.accumulators(kernel, live), *self.loops(kernel, live), *self.declarations(kernel)]
            yield from (m for m in made if m)

    def names(self, kernel, live):
        counts = collections.Counter(n.id for n in ast.walk(kernel.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        parameters = {a.arg for a in kernel.node.args.args}
        for node in live:
            if not isinstance(node, ast.Name):
                continue
            statement = kernel.nested.get(node)
            spans = [self.statementOf(kernel, node)]
            fresh = node.id + "_q"
            if fresh in self.everyName or pathOf(node) in ("pl", "pld", "self"):
                continue
            if isinstance(node.ctx, ast.Load):
                # Nothing binds the new name: reading it is an error in Python and in PL.
                kind = "local name" if node.id in kernel.locals else "global name"
                yield self.at(kind, node, fresh, spans)
            elif isinstance(node.ctx, ast.Store) and counts[node.id] == 1 and node.id not in parameters and isinstance(statement, ast.Assign) and node.id not in self.module:
                # The only binding of a name that is read later: the readers find nothing.
                readers = [n for n in ast.walk(kernel.node) if isinstance(n, ast.Name) and n.id == node.id and isinstance(n.ctx, ast.Load)]
                if readers and not any(self.isDead(kernel, r) for r in readers):
                    yield self.at("binding", node, fresh, spans + [self.statementOf(kernel, r) for r in readers])

    def calls(self, kernel, live):
        for node in live:
            if isinstance(node, ast.Call) and isDialect(pathOf(node.func)):
                spans = [self.statementOf(kernel, node)]
                # No operation of PL ends in "_q".
                yield self.attribute("operation", node.func, node.func.attr + "_q", spans)
                for keyword in node.keywords:
                    if keyword.arg:
                        # Nor does a parameter of one.
                        yield self.keyword("keyword", keyword, keyword.arg + "_q", spans)
            if isinstance(node, ast.Attribute) and isinstance(kernel.nested.get(node), (ast.Call, ast.keyword)):
                path = pathOf(node)
                parent = kernel.nested[node]
                if isinstance(parent, ast.Call) and parent.func is node:
                    continue
                spans = [self.statementOf(kernel, node)]
                if path.startswith("pl.") and path.count(".") == 1 and node.attr in DTYPES:
                    # There is no dtype of that name.
                    yield self.attribute("dtype", node, node.attr + "_q", spans)
                elif path.startswith(("pl.MemorySpace.", "pl.Mem.", "pl.Level.", "pl.SplitMode.", "pl.PadValue.", "pl.AtomicType.", "pl.tile.MaskPattern.", "pld.NotifyOp.", "pld.WaitCmp.")):
                    # Nor a member of an enumeration.
                    yield self.attribute("enumerator", node, node.attr + "_q", spans)

    def windows(self, kernel, live):
        for node in live:
            path = pathOf(node.func) if isinstance(node, ast.Call) else ""
            spans = [self.statementOf(kernel, node)] if path or isinstance(node, ast.Subscript) else []
            operation = path.rpartition(".")[2]
            positional = [a for a in node.args if not isinstance(a, ast.Starred)] if path else []
            if operation == "load" and isDialect(path) and len(positional) >= 3:
                offsets, shapes = positional[1], positional[2]
                if isinstance(shapes, ast.List):
                    # A tile of a million elements: no on-chip memory holds it.
                    yield from (self.at("extent", e, HUGE, spans) for e in shapes.elts if isinstance(e, (ast.Constant, ast.Name)))
                if isinstance(offsets, ast.List):
                    # A window that begins before its tensor.
                    yield from (self.at("offset", e, "-16", spans) for e in offsets.elts if isinstance(e, ast.Constant))
                    yield from self.offsetsPast(kernel, positional[0], offsets, spans)
            if operation == "slice" and isDialect(path) and len(positional) >= 3 and isinstance(positional[2], ast.List):
                yield from (self.at("offset", e, "-16", spans) for e in positional[2].elts if isinstance(e, ast.Constant))
                yield from self.offsetsPast(kernel, positional[0], positional[2], spans)
            if operation == "create_tile" and isDialect(path) and positional and isinstance(positional[0], ast.List):
                yield from (self.at("extent", e, HUGE, spans) for e in positional[0].elts if isinstance(e, (ast.Constant, ast.Name)))
            if operation == "reshape" and isDialect(path) and len(positional) == 2 and isinstance(positional[1], ast.List):
                if all(self.isStatic(e) for e in positional[1].elts):
                    # A prime that no other shape of as many elements has.
                    yield from (self.at("reshape", e, HUGE, spans) for e in positional[1].elts if isinstance(e, ast.Constant) and e.value > 1)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in kernel.locals:
                items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                for axis, item in enumerate(items):
                    if isinstance(item, ast.Slice) and isinstance(item.lower, ast.Constant) and isinstance(item.upper, ast.Constant):
                        # It ends before it begins.
                        yield self.at("slice", item.lower, HUGE, spans)
                    static = kernel.static.get(node.value.id, [])
                    bound = item.upper if isinstance(item, ast.Slice) else item
                    if axis < len(static) and static[axis] and isinstance(bound, ast.Constant) and len(static) == len(items):
                        # Past the end of a static axis.
                        yield self.at("bound", bound, HUGE, spans)

    def offsetsPast(self, kernel, tensor, offsets, spans):
        static = kernel.static.get(tensor.id, []) if isinstance(tensor, ast.Name) else []
        for axis, entry in enumerate(offsets.elts):
            if axis < len(static) and static[axis] and isinstance(entry, ast.Constant):
                yield self.at("offset past", entry, HUGE, spans)

    def accumulators(self, kernel, live):
        """`acc = pl.create_tensor([M, N], dtype=pl.FP32)` under a matmul_acc: FP32 or INT32, and exactly [M, N]."""
        users = collections.defaultdict(list)
        for node in live:
            if isinstance(node, ast.Call) and pathOf(node.func) == "pl.matmul_acc" and node.args and isinstance(node.args[0], ast.Name):
                users[node.args[0].id].append(self.statementOf(kernel, node))
        for node in live:
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or not isinstance(node.targets[0], ast.Name):
                continue
            if pathOf(node.value.func) != "pl.create_tensor" or node.targets[0].id not in users:
                continue
            spans = [self.statementOf(kernel, node), *users[node.targets[0].id]]
            for keyword in node.value.keywords:
                if keyword.arg == "dtype" and isinstance(keyword.value, ast.Attribute):
                    yield self.attribute("accumulator dtype", keyword.value, "INT8", spans)
            shape = node.value.args[0] if node.value.args else None
            if isinstance(shape, ast.List):
                yield from (self.at("accumulator extent", e, HUGE, spans) for e in shape.elts if isinstance(e, (ast.Constant, ast.Name)))

    def loops(self, kernel, live):
        """A loop of a million rounds over windows of a static axis, offset by its variable alone."""
        for node in live:
            if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name) or not isinstance(node.iter, ast.Call):
                continue
            if pathOf(node.iter.func) not in ("pl.range", "pl.parallel", "pl.pipeline", "pl.spmd") or len(node.iter.args) != 1 or not isinstance(node.iter.args[0], (ast.Constant, ast.Name)):
                continue
            spans = [self.statementOf(kernel, node)]
            hit = False
            for inner in ast.walk(node):
                if not isinstance(inner, ast.Subscript) or not isinstance(inner.value, ast.Name) or self.isDead(kernel, inner):
                    continue
                items = inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
                static = kernel.static.get(inner.value.id, [])
                for axis, item in enumerate(items):
                    lower = item.lower if isinstance(item, ast.Slice) else item
                    product = isinstance(lower, ast.BinOp) and isinstance(lower.op, ast.Mult) and isinstance(lower.left, ast.Name) and lower.left.id == node.target.id and self.isStatic(lower.right)
                    plain = isinstance(lower, ast.Name) and lower.id == node.target.id
                    if (plain or product) and axis < len(static) and static[axis] and len(items) == len(static):
                        hit = True
                        spans.append(self.statementOf(kernel, inner))
            if hit:
                yield self.at("loop bound", node.iter.args[0], HUGE, spans)

    def declarations(self, kernel):
        for argument in kernel.node.args.args:
            spans = [(argument.lineno, argument.end_lineno)]
            for node in ast.walk(argument.annotation) if argument.annotation else []:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in ("pl", "pld") and node.id + "_q" not in self.everyName:
                    yield self.at("declared extent", node, node.id + "_q", spans)
                if isinstance(node, ast.Attribute) and pathOf(node).startswith("pl.") and node.attr in DTYPES:
                    yield self.attribute("declared dtype", node, node.attr + "_q", spans)
                if isinstance(node, ast.Attribute) and pathOf(node) in ("pl.Tensor", "pl.Out", "pl.InOut", "pl.Scalar"):
                    yield self.attribute("declared type", node, node.attr + "_q", spans)


# --- running


def check(options, path):
    command = [options.placid, "check", "--format", "json", "--no-daemon", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {options.timeout:g} s"
    try:
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        lines.pop()["summary"]
    except (ValueError, LookupError):
        return None, f"exit {done.returncode}: " + done.stderr.decode("utf-8", "replace")[-300:]
    if done.returncode not in (0, 1):
        return None, f"exit {done.returncode}"
    return lines, ""


def collect(folders, copies):
    """The files of the folders as paths relative to a copy, and the copies made."""
    for number, folder in enumerate(folders):
        for copy in copies:
            shutil.copytree(folder, copy / str(number), ignore=lambda at, names: [n for n in names if (pathlib.Path(at) / n).is_file() and not n.endswith(".py")])
    return sorted(str(p.relative_to(copies[0])) for p in copies[0].rglob("*.py"))


def choose(sources, options):
    """`count` mistakes, the classes taken in turn, each from as many files as there are."""
    chance = random.Random(options.seed)
    by_class = collections.defaultdict(list)
    for source in sources:
        for mistake in source.mistakes():
            if not options.only or mistake.name in options.only:
                by_class[mistake.name].append(mistake)
    for candidates in by_class.values():
        chance.shuffle(candidates)
    out = []
    while len(out) < options.count and any(by_class.values()):
        for name in sorted(by_class):
            if by_class[name] and len(out) < options.count:
                out.append(by_class[name].pop())
    return out


def attempt(mistake, copies, options):
    """What became of one mistake: found, missed or crash, and a line about it."""
    copy = copies.get()
    path = copy / mistake.path
    before = path.read_bytes()
    lines = before.split(b"\n")
    line = lines[mistake.line - 1]
    lines[mistake.line - 1] = line[: mistake.begin] + mistake.new.encode() + line[mistake.end :]
    try:
        path.write_bytes(b"\n".join(lines))
        diagnostics, failure = check(options, path)
    finally:
        path.write_bytes(before)
        copies.put(copy)
    where = f"{mistake.path}:{mistake.line}: {mistake.name}: {mistake.old} -> {mistake.new}"
    if diagnostics is None:
        return "crash", f"{where}: {failure}"
    errors = [d for d in diagnostics if d["severity"] == "error"]
    internal = next((d for d in errors if d["code"].startswith("PL9")), None)
    if internal:
        return "crash", f"{where}: {internal['message']}"
    for d in errors:
        first, last = d["range"]["start"]["line"] + 1, d["range"]["end"]["line"] + 1
        if d["path"] == str(path) and any(first <= b and a <= last for a, b in mistake.spans):
            return "found", f"{where}: [{d['slug']}] {d['message']}"
    said = f"said in line {errors[0]['range']['start']['line'] + 1}: {errors[0]['message']}" if errors else "nothing said"
    return ("elsewhere" if errors else "missed"), f"{where}: {said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.95, help="what has to be found (default 0.95)")
    parser.add_argument("--class", dest="only", action="append", default=[], help="only this class; may be repeated")
    parser.add_argument("--found", action="store_true", help="list what was found too")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    for folder in options.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    with tempfile.TemporaryDirectory(prefix="placid-mutate-") as scratch:
        copies = [pathlib.Path(scratch) / str(n) for n in range(options.jobs)]
        files = collect(options.folders, copies)
        sources = []
        free = queue.SimpleQueue()
        for copy in copies:
            free.put(copy)

        def prepare(name):
            text = (copies[0] / name).read_text(encoding="utf-8")
            if "pypto" not in text:
                return None
            diagnostics, _ = check(options, copies[0] / name)
            if diagnostics is None or any(d["severity"] == "error" for d in diagnostics):
                return None
            try:
                return Source(name, text)
            except SyntaxError:
                return None

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            sources = [s for s in pool.map(prepare, files) if s]
            chosen = choose(sources, options)
            results = list(pool.map(lambda m: attempt(m, free, options), chosen))
    if not chosen:
        print("no mistake can be made in these files")
        return 1
    table = collections.defaultdict(collections.Counter)
    for mistake, (outcome, _) in zip(chosen, results):
        table[mistake.name][outcome] += 1
        table["all"][outcome] += 1
    for name in [*sorted(n for n in table if n != "all"), "all"]:
        row = table[name]
        total = sum(row.values())
        print(f"{name:20} {row['found']:4} of {total:4} found, {row['elsewhere']} reported elsewhere, {row['missed']} missed, {row['crash']} crashed")
    for (outcome, text) in results:
        if outcome != "found" or options.found:
            print(f"{outcome}: {text}")
    rate = table["all"]["found"] / len(chosen)
    print(f"{len(chosen)} mistakes in {len({m.path for m in chosen})} of {len(sources)} files, seed {options.seed}: {100 * rate:.1f} % reported on the right statement, {table['all']['crash']} crashed")
    return 0 if rate >= options.rate and not table["all"]["crash"] else 1


if __name__ == "__main__":
    sys.exit(main())
