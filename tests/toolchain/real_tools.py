#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole builds with the real ptoas, the headers of pto-isa and clang, here and by `--remote`, and what they made is called:
`kernel_entry` of each library on random data, its results against those of the reference interpreter, byte for byte.

    real_tools.py --placid build/release/bin/placid [--remote N] [--most N] [FILE.py…]

Takes `ptoas` from PTOAS_ROOT or PATH, the headers from PTO_ISA_ROOT, clang from PATH. Without FILEs: the examples and the cases of
tests/cases. The first N files (default 3) are also built by a service over TLS for a client without tools, and must come out the
same. Prints a line a kernel that differs or cannot be called, and the digests of the tools; exits 77 where a tool is missing.
"""
import argparse
import collections
import ctypes
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import assemble  # noqa: E402
import service_harness as harness  # noqa: E402

SKIPPED = 77
DYNAMIC = 32  # What a dimension that is open is.
FORMS = {"INT8": "b", "UINT8": "B", "INT16": "h", "UINT16": "H", "INT32": "i", "UINT32": "I", "INT64": "q", "UINT64": "Q", "INDEX": "q",
         "FP16": "e", "FP32": "f", "BOOL": "?"}  # fmt: skip


class Absent(Exception):
    """Why a kernel is not called."""


def product(numbers):
    out = 1
    for number in numbers:
        out *= number
    return out


def encode(dtype, values):
    if dtype == "BF16":
        raise Absent("BF16, which is FP16 in the simulator where the host's library has no std::bfloat16_t")
    if dtype not in FORMS:
        raise Absent(f"no data of type {dtype} here")
    kind = float if dtype in ("FP16", "FP32") else bool if dtype == "BOOL" else int
    return struct.pack(f"<{len(values)}{FORMS[dtype]}", *map(kind, values))


def size_of(dtype):
    return struct.calcsize("<" + FORMS[dtype])


def order(argument, shape):
    """Where each logical element, row by row, lies in memory."""
    if argument["layout"] == "ND":
        return None
    *planes, rows, columns = shape
    plane = rows * columns
    line = argument["blocked"][4] if argument["layout"] == "NZ" else 0
    one = [(c // line) * rows * line + r * line + c % line if line else c * rows + r for r in range(rows) for c in range(columns)]
    return [p * plane + at for p in range(product(planes)) for at in one]


def laid(data, size, places):
    """Logical bytes as they lie in memory."""
    if places is None:
        return data
    out = bytearray(len(data))
    for logical, at in enumerate(places):
        out[at * size : (at + 1) * size] = data[logical * size : (logical + 1) * size]
    return bytes(out)


def logical(data, size, places):
    return data if places is None else b"".join(data[at * size : (at + 1) * size] for at in places)


def call(job):
    """In a process of its own: a kernel that goes wrong ends this one."""
    job = json.loads(pathlib.Path(job).read_text())
    entry = ctypes.CDLL(job["library"])["kernel_entry"]
    buffers = [bytearray(pathlib.Path(path).read_bytes()) for path in job["files"]]
    addresses = [ctypes.addressof((ctypes.c_char * len(buffer)).from_buffer(buffer)) for buffer in buffers]
    for block in range(job["blocks"]):
        slots = []
        for kind, value, step in job["slots"]:
            slots.append(addresses[value] + step * block if kind == "buffer" else {"block_idx": block, "block_num": job["blocks"], "subblock_idx": 0}.get(value, value))
        entry((ctypes.c_int64 * len(slots))(*slots))
    for path, buffer in zip(job["files"], buffers):
        pathlib.Path(path + ".after").write_bytes(buffer)


def check(options, kernel, source, built, folder):
    """Calls one kernel and asks the interpreter; raises Absent, or says what differs."""
    if kernel["coreType"] == "mixed":
        raise Absent("of both cores: see simulate.py")
    chance = random.Random(kernel["name"])
    shapes, words, slots, files, results = {}, [], [], [], []
    found = re.match(r"// blocks: (\d+)", (built / kernel["pto"]).read_text())
    blocks = int(found.group(1)) if found else 1
    for argument in kernel["arguments"]:
        name, kind = argument["name"], argument["kind"]
        if kind == "tensor":
            if any(not isinstance(extent, int) and not re.fullmatch(r"\w+", extent) for extent in argument["shape"]):
                raise Absent("an extent that is computed")
            shape = shapes[name] = [extent if isinstance(extent, int) else DYNAMIC for extent in argument["shape"]]
            data = encode(argument["dtype"], [chance.randint(0, 1) if argument["dtype"] == "BOOL" else chance.randint(0 if argument["dtype"][0] == "U" else -3, 3) for _ in range(product(shape))])
            places = order(argument, shape)
            path = folder / f"{name}.bin"
            path.write_bytes(data)
            words += ["--in", f"{name}:{'x'.join(map(str, shape))}={path}"]
            size = size_of(argument["dtype"])
            (folder / f"{name}.memory").write_bytes(laid(data, size, places))
            slots.append(("buffer", len(files), 0))
            files.append(str(folder / f"{name}.memory"))
            if argument["direction"] != "in":
                results.append((name, size, places))
        elif kind == "workspace":
            step = product(argument["shape"]) * size_of(argument["dtype"])
            (folder / "workspace").write_bytes(bytes(step * blocks))
            slots.append(("buffer", len(files), step))
            files.append(str(folder / "workspace"))
        elif kind == "scalar":
            data = encode(argument["dtype"], [1])
            slots.append(("value", int.from_bytes(data.ljust(8, b"\0"), "little", signed=True), 0))
            words += ["--in", f"{name}=1"]
        elif kind == "extent" and "source" in argument:
            slots.append(("value", shapes[argument["source"]["argument"]][argument["source"]["axis"]], 0))
        else:
            raise Absent(f"an argument of kind {kind}")
    slots += [("value", name, 0) for name in kernel.get("launch", [])]
    told = subprocess.run([options.placid, "run", "--no-daemon", "--kernel", kernel["name"], *words, "--out", str(folder / "expected"), str(source)],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    if told.returncode != 0:
        raise Absent("the interpreter: " + (told.stderr.strip().splitlines() or ["?"])[0])
    job = {"library": str(built / (kernel["name"] + ".so")), "files": files, "slots": slots, "blocks": blocks}
    (folder / "job").write_text(json.dumps(job))
    done = subprocess.run([sys.executable, __file__, "--call", str(folder / "job")], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return f"ends with {done.returncode}: {done.stderr.strip()[-300:]}"
    for name, size, places in results:
        got = logical((folder / f"{name}.memory.after").read_bytes(), size, places)
        if got != (folder / "expected" / f"{name}.bin").read_bytes():
            return f"`{name}` differs"
    return ""


class Tools(harness.Service):
    """A service that has the real tools, and a client that has none."""

    def runTest(self):
        pass

    def begin(self, environment):
        self.setUp()
        self.env.update(environment)
        self.serve(tls=True)


def whole(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def local(options, environment, source, out):
    words = [options.placid, "build", "--no-daemon", "--toolchain", "cpu-sim", "--until", "link", "--out", str(out), source.name]
    return subprocess.run(words, cwd=source.parent, env=environment, capture_output=True, text=True, timeout=900)


def run(options, program, environment, folder):
    counts, reasons, differing = collections.Counter(), collections.Counter(), []
    files = options.files or [path for path in sorted((ROOT / "examples").glob("*.py")) if path.name != "mistakes.py"] + sorted((ROOT / "tests/cases").rglob("*.py"))
    service, digests = None, []
    for number, source in enumerate(files[: options.most]):
        source = source.resolve()
        shown = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
        out = folder / f"out{number}"
        done = local(options, environment, source, out)
        if done.returncode != 0:
            counts["files not built"] += 1
            codes = re.findall(r"error\[(\w+)\]", done.stderr)
            reasons[codes[0] if codes else (done.stderr.strip().splitlines() or ["?"])[0]] += 1
            continue
        counts["files built"] += 1
        if number < options.remote:
            if not service:
                service = Tools()
                service.begin(environment)
            work = service.folder / "work"
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(source.parent, work)
            there = service.remote("--remote", "farm", "--toolchain", "cpu-sim", "--until", "link", "--out", "out", source.name)
            same = there.returncode == 0 and whole(work / "out") == whole(out)
            counts["the same by --remote" if same else "DIFFERENT by --remote"] += 1
            if not same:
                differing.append(f"{shown}: by --remote: {there.stderr.strip()[-300:]}")
        for kernel in json.loads((out / "manifest.json").read_text())["kernels"]:
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    wrong = check(options, kernel, source, out, pathlib.Path(scratch))
                except Absent as why:
                    counts["kernels built, not called"] += 1
                    reasons[str(why)[:80]] += 1
                    continue
            counts["kernels DIFFERENT" if wrong else "kernels the same as the interpreter"] += 1
            if wrong:
                differing.append(f"{shown}: {kernel['name']} {wrong}")
            if number < options.remote:
                digests += [f"{entry['sha256']}  {entry['path']} of {shown}" for entry in kernel["files"]]
    if service:
        service.doCleanups()
    for line in differing:
        print("DIFFERS", line)
    for why, count in reasons.most_common():
        print(f"  {count} times: {why}")
    print("\n".join(digests))
    print(f"{hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()}  {pathlib.Path(program).name}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if differing else 0


def main():
    if sys.argv[1:2] == ["--call"]:
        return call(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--remote", type=int, default=3)
    parser.add_argument("--most", type=int, default=1 << 30)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.placid = str(pathlib.Path(options.placid).resolve())
    harness.OPTIONS = options
    program, isa = assemble.find(), os.environ.get("PTO_ISA_ROOT")
    for missing, what in ((not program, "ptoas on PATH or in PTOAS_ROOT"), (not isa, "PTO_ISA_ROOT")):
        if missing:
            print(f"skipped: no {what}")
            return SKIPPED
    with tempfile.TemporaryDirectory(prefix="placid-real-") as name:
        folder = pathlib.Path(name)
        harness.CERTS = folder / "certificates"
        harness.CERTS.mkdir()
        harness.make_certificates(harness.CERTS)
        environment = {"PATH": os.environ["PATH"], "HOME": name, "XDG_CACHE_HOME": f"{name}/cache", "XDG_RUNTIME_DIR": name, "PTO_ISA_ROOT": isa}
        if os.environ.get("PTOAS_ROOT"):
            environment["PTOAS_ROOT"] = os.environ["PTOAS_ROOT"]
        return run(options, program, environment, folder)


if __name__ == "__main__":
    sys.exit(main())
