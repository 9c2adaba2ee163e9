#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Module-level constants of a code base: what placid's evaluator says against what Python itself computes.

    tests/evaluator/compare_tree.py build/release/bin/placid-eval DIR… [--root DIR] [--all]

Imports every file that imports a PL dialect in a python3 of its own, where stand-ins take the place of modules that are not
installed (torch, the dialect, …), and compares ints, floats, bools, strings, None and tuples of those. A name that rests on a
stand-in is not compared. RUNS THE CODE of DIR: only for trees that you trust. Not part of the suite, which has no such tree.
Exits 0 when no value differs, 1 otherwise.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

DIALECT = re.compile(rb"^\s*(?:import|from)\s+pypto(?:_pro)?\b", re.M)
SKIPPED = {".git", "__pycache__", "node_modules", ".venv", "build"}

CHILD = r'''
import importlib.abc, importlib.machinery, importlib.util, json, os, sys
path, roots = sys.argv[1], sys.argv[2:]

class StandIn:
    """Answers everything with more of itself."""
    def __init__(self, *a, **k): pass
    def __call__(self, *a, **k): return StandIn()
    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__version__",): raise AttributeError(name)
        return StandIn()
    def __getitem__(self, key): return StandIn()
    def __iter__(self): return iter(())
    def __mro_entries__(self, bases): return ()
    def __or__(self, other): return StandIn()
    __ror__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __or__
    def __neg__(self): return StandIn()
    def __setitem__(self, key, value): pass
    def __enter__(self): return StandIn()
    def __exit__(self, *why): return False

class Module(StandIn):
    def __init__(self, name):
        self.__name__, self.__path__, self.__spec__, self.__loader__ = name, [], None, None

class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    made = []
    def find_spec(self, name, path=None, target=None):
        self.made.append(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec): return Module(spec.name)
    def exec_module(self, module): pass

sys.path[:0] = [os.path.dirname(path), *roots]
sys.meta_path.append(Finder())
sys.argv = [path]
spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module

def plain(value, depth=0):
    kind = type(value)
    return value is None or kind in (int, float, bool, str) or (kind is tuple and depth < 4 and all(plain(v, depth + 1) for v in value))

try:
    sys.stdout = sys.stderr
    spec.loader.exec_module(module)
except BaseException as why:
    print(json.dumps({"raised": f"{type(why).__name__}: {why}"}), file=sys.__stdout__)
    sys.exit(0)
names = {n: repr(v) for n, v in vars(module).items() if not n.startswith("__") and plain(v)}
print(json.dumps({"names": names}), file=sys.__stdout__)
'''


def ofPython(path, roots):
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG", "LC_ALL")}
    done = subprocess.run([sys.executable, "-B", "-c", CHILD, str(path), *roots], capture_output=True, text=True, timeout=60,
                          check=False, env=environment)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return {"raised": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"}


def ofPlacid(program, path, roots):
    done = subprocess.run([program, str(path), *roots], capture_output=True, text=True, timeout=60, check=False)
    known, unknown = {}, {}
    for line in done.stdout.splitlines():
        name, _, rest = line.partition("\t")
        if rest.startswith("?\t"):
            unknown[name] = rest[2:]
        elif rest:
            known[name] = rest
    return known, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("placid_eval")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--root", action="append", default=[], help="a further folder to import from; may be repeated")
    parser.add_argument("--all", action="store_true", help="every .py file, not only those that import a PL dialect")
    options = parser.parse_args()
    files = []
    for root in options.paths:
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f not in SKIPPED)
            files += [pathlib.Path(folder) / n for n in sorted(names) if n.endswith(".py")]
    files = [f.resolve() for f in files if options.all or DIALECT.search(f.read_bytes())]
    roots = [str(pathlib.Path(r).resolve()) for r in options.root]
    equal = differ = followed = left = raised = 0
    for path in files:
        python = ofPython(path, roots)
        if "raised" in python:
            raised += 1
            print(f"{path}: Python raises {python['raised'][:120]}")
            continue
        known, unknown = ofPlacid(options.placid_eval, path, roots)
        for name, text in sorted(python["names"].items()):
            if name in known:
                same = known[name] == text
                equal, differ = equal + same, differ + (not same)
                if not same:
                    print(f"{path}: {name}: Python {text[:80]}, placid {known[name][:80]}")
            elif name in unknown:
                left += 1
                print(f"{path}: {name}: not followed: {unknown[name][:100]}")
        followed += 1
    print(f"{len(files)} files, {followed} compared, {raised} that Python itself refuses; "
          f"{equal + differ} values, {differ} differ, {left} not followed")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
