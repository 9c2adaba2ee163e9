# SPDX-License-Identifier: Apache-2.0
"""One kernel, twice: its PL source run by the oracle, and the PTO IR that placid made of it run by `placid run`. Data is
random and small enough that every sum is exact in its accumulator, so the two must agree bit for bit.
"""
import contextlib
import io
import json
import pathlib
import random
import re
import subprocess
import sys

import pl_oracle as oracle


class Mismatch(Exception):
    """The two disagree, or one of them failed where the other did not; in words."""


class TooLarge(Exception):
    """Too much to compute element by element."""


#: Values tried for scalar parameters until the program stays inside its tensors.
SCALARS = (2, 1, 0, 3, 16, 32, 48, 64)
#: What a dynamic extent is.
EXTENT = 3


def values(rng, dtype, count):
    if not dtype.isFloat and dtype.name == "BOOL":
        return rng.choices((0, 1), k=count)
    low = 0 if not dtype.isFloat and dtype.lo == 0 else -4
    return rng.choices(range(low, 6), k=count)


class Problem:
    """A kernel with data."""

    def __init__(self, kernel, owner, seed, text, largest=5_000_000, extent=EXTENT):
        self.kernel, self.owner, self.text = kernel, owner, text
        self.locals = {}
        rng = random.Random(seed)
        self.specs = oracle.parameters(kernel)
        self.extents = {}
        self.data = {}
        self.shapes = {}
        for name, spec in self.specs.items():
            if isinstance(spec, oracle.ScalarSpec):
                continue
            shape = []
            for axis in spec.shape:
                if isinstance(axis, oracle.Dynamic):
                    self.extents[axis.name] = extent
                    axis = extent
                shape.append(axis)
            self.shapes[name] = shape
            if oracle.count(shape) > largest:
                raise TooLarge(f"`{name}` has {oracle.count(shape)} elements")
            self.data[name] = values(rng, spec.dtype, oracle.count(shape))
        self.scalars = {}
        self.blocks = 0
        # A kernel that reads its block number without launching blocks is run by whoever launches it.
        self.wantsBlocks = kernel.kind != "Orchestration" and "get_block" in text and "spmd" not in text
        self.expected = None
        self.peers = {}  #: Of each other device that has windows of its own, what is in them: by number, then by name.
        self.kept = {}  #: What is in them afterwards.

    def solve(self):
        """Runs the oracle; sets the scalars and block count that stay inside the tensors."""
        names = [n for n, s in self.specs.items() if isinstance(s, oracle.ScalarSpec)]
        wrong = None
        for scalar in SCALARS if names else (0,):
            for blocks in (4, 2, 1) if self.wantsBlocks else (0,):
                self.scalars = {n: scalar for n in names}
                self.blocks = blocks
                try:
                    self.expected = self.runOracle(max(blocks, 1))
                    return
                except (IndexError, ZeroDivisionError) as error:
                    wrong = error
        raise oracle.Unmodelled(f"no scalar keeps the program inside its tensors: {wrong}")

    def attempt(self, scalars, blocks):
        """Whether the program stays inside its tensors when it is launched like this."""
        self.scalars, self.blocks = dict(scalars), blocks
        try:
            self.expected = self.runOracle(max(blocks, 1))
            return True
        except (IndexError, ZeroDivisionError, ValueError, oracle.Unmodelled):
            return False

    def runOracle(self, blocks):
        tensors = {n: oracle.Array(list(v), self.shapes[n], self.specs[n].dtype) for n, v in self.data.items()}
        for name, tensor in tensors.items():
            tensor.fractal = self.specs[name].layout == "NZ"
            if self.peers and self.specs[name].shared:
                tensor.peers = {n: oracle.Array(list(v[name]), self.shapes[name], self.specs[name].dtype) for n, v in self.peers.items()}
        arguments = [tensors.get(n, self.scalars.get(n)) for n in self.specs]
        code = self.kernel.function.__code__

        def keepLocals(frame, event, _):
            if event == "return" and frame.f_code is code:
                self.locals = dict(frame.f_locals)

        for block in range(blocks):
            oracle.Blocks.current, oracle.Blocks.total = block, blocks
            with contextlib.redirect_stdout(io.StringIO()):
                bound = [self.owner()] if self.owner else []
                sys.setprofile(keepLocals)
                try:
                    self.kernel.function(*bound, *arguments)
                finally:
                    sys.setprofile(None)
        oracle.Blocks.current, oracle.Blocks.total = 0, 1
        self.kept = {n: {name: t.peers[n].data for name, t in tensors.items() if self.specs[name].shared} for n in self.peers}
        return {n: t.data for n, t in tensors.items()}

    def derive(self, kernels, text):
        """A kernel may take a window that the entry made of a parameter: its data are the entry's local of that name.
        Only where the entry launches each kernel once; otherwise the window is another one each time."""
        names = {a["name"]: a for k in kernels for a in k["arguments"]}
        for name, argument in names.items():
            if name in self.data or name in self.scalars or name in self.extents or argument["kind"] in ("extent", "workspace", "context"):
                continue
            local = self.locals.get(name)
            if argument["direction"] != "in":
                continue  # a buffer of the program's own
            if re.search(r"\bpl\.(range|parallel|pipeline|unroll)\b", text):
                raise oracle.Unmodelled(f"single launch for the window `{name}`")
            if argument["kind"] == "scalar" and isinstance(local, int):
                self.scalars[name] = local
            elif isinstance(local, oracle.Array) and argument["kind"] == "tensor":
                self.data[name], self.shapes[name] = local.values(), local.shape
                self.specs[name] = oracle.Spec(local.shape, local.dtype)
                self.expected[name] = list(self.data[name])
            else:
                raise oracle.Unmodelled(f"value for the argument `{name}`")
        for name in [n for n in self.data if n not in names]:
            if self.expected[name] != self.data[name]:
                raise Mismatch(f"no kernel takes `{name}`, which the program changes")
            del self.data[name]

    def writeInputs(self, folder):
        out = []
        for name, data in self.data.items():
            path = pathlib.Path(folder) / f"{name}.in"
            path.write_bytes(self.specs[name].dtype.pack(data))
            out += ["--in", f"{name}={path}"]
        for name, value in {**self.scalars, **self.extents}.items():
            out += ["--in", f"{name}={value}"]
        return out + (["--blocks", str(self.blocks)] if self.blocks else [])

    def compare(self, folder):
        """Every tensor that was written holds what the oracle computed."""
        compared = 0
        for path in sorted(pathlib.Path(folder).glob("*.bin")):
            name = path.stem
            if name not in self.expected:
                continue  # a buffer of the program's own
            dtype = self.specs[name].dtype
            want = dtype.pack([dtype.round(v) for v in self.expected[name]])
            got = path.read_bytes()
            compared += 1
            if got != want:
                raise Mismatch(self.difference(name, dtype.unpack(want), dtype.unpack(got)))
        changed = [n for n in self.data if self.expected[n] != self.data[n] and not self.specs[n].shared]
        missing = [n for n in changed if not (pathlib.Path(folder) / f"{n}.bin").exists()]
        if missing:
            raise Mismatch(f"the kernel should have written {missing}")
        return compared

    def difference(self, name, want, got):
        if len(want) != len(got):
            return f"{name}: {len(got)} elements, expected {len(want)}"
        wrong = [i for i, (w, g) in enumerate(zip(want, got)) if w != g and not (w != w and g != g)]
        if not wrong:
            return f"{name}: bytes differ in signs of zero or in NaNs"
        place, index = [], wrong[0]
        for extent in reversed(self.shapes[name]):
            place.insert(0, index % extent)
            index //= extent
        return f"{name}{place}: {got[wrong[0]]}, expected {want[wrong[0]]} ({len(wrong)} of {len(want)} elements differ)"


def run(command, what):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Mismatch(f"{what}: exit {done.returncode}: {(done.stderr or done.stdout).strip()[:600]}")
    return done.stdout


def manifestOf(folder):
    return json.loads((pathlib.Path(folder) / "manifest.json").read_text())


def entriesOf(manifest):
    seen = []
    for kernel in manifest["kernels"]:
        if kernel["entry"] not in seen:
            seen.append(kernel["entry"])
    return seen


def readsBlock(text, kernel):
    """The source of one function, roughly: from its def to the next."""
    start = re.search(rf"def {re.escape(kernel.__name__)}\b", text)
    if not start:
        return text
    following = re.search(r"\n\s*(def|class) ", text[start.end() :])
    return text[start.start() : start.end() + following.start()] if following else text[start.start() :]
