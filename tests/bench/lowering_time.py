#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time that lowering takes, by pass and by program size. Generates kernels of growing size (a row of loads, views and
accumulations into an NZ result), runs the passes after the front end on each, and prints the best of some runs: the time
of every pass in milliseconds, and the processor time of a whole run for each operation. Not a test: numbers depend on
the machine.

    tests/bench/lowering_time.py [--build build/release] [--sizes 25,125,250,500] [--runs 7]
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

HEAD = '''import pypto.language as pl


@pl.program
class Big:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, {k}], pl.FP16],
        w: pl.Tensor[[64, {k}], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[16, 64], pl.FP32, pl.NZ]:
        acc = pl.create_tile([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)
'''
STEP = '''        a{i} = pl.load(x, [0, {at}], [16, 64], target_memory=pl.Mem.Mat)
        b{i} = pl.load(w, [0, {at}], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul_acc(acc, a{i}, pl.tile.transpose_view(b{i}))
'''
TAIL = '''        y = pl.store(acc, [0, 0], y)
        return y
'''
CHECK = ["outline-incore-scopes", "convert-tensor-to-tile-ops", "flatten-tile-nd-to-2d", "block-nz-tensor-views"]
ROW = re.compile(r"\s*([0-9.]+) \(\s*[0-9.]+%\)\s+(\S+)")


def program(steps):
    return HEAD.format(k=steps * 64) + "".join(STEP.format(i=i, at=i * 64) for i in range(steps)) + TAIL


def measure(command):
    """Processor seconds of one run, and seconds by pass."""
    with tempfile.TemporaryFile("w+") as log:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            os.execv(command[0], command)
        _, status, usage = os.wait4(child, 0)
        log.seek(0)
        text = log.read()
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{text[-2000:]}")
    return usage.ru_utime, {name: float(seconds) for seconds, name in ROW.findall(text)}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--build", default="build/release")
    arguments.add_argument("--sizes", default="25,125,250,500", help="accumulations; each is four operations of PL")
    arguments.add_argument("--runs", type=int, default=7)
    options = arguments.parse_args()
    programs = pathlib.Path(options.build) / "bin"
    sizes = [int(size) for size in options.sizes.split(",")]
    columns = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            source = pathlib.Path(folder, f"k{size}.py")
            source.write_text(program(size))
            ir = subprocess.run([programs / "placid", "ir", "--no-daemon", "--after", "FrontEnd", source], check=True, capture_output=True, text=True).stdout
            pathlib.Path(folder, "k.mlir").write_text(ir)
            command = [str(programs / "placid-opt"), str(pathlib.Path(folder, "k.mlir")), *(f"--pl-{name}" for name in CHECK), "--placid-lower", "--mlir-timing", "--mlir-timing-display=list", "-o", os.devnull]
            runs = [measure(command) for _ in range(options.runs)]
            names = runs[0][1]
            best = {name: min(passes.get(name, 0.0) for _, passes in runs) for name in names}
            columns.append((4 * size, min(total for total, _ in runs), best))
    names = [name for name in columns[-1][2] if name not in ("root", "Total", "Parser", "Output", "Rest")]
    names.sort(key=lambda name: -columns[-1][2][name])
    print("operations".ljust(28) + "".join(f"{ops:>10}" for ops, _, _ in columns))
    for name in names:
        print(name.ljust(28) + "".join(f"{passes.get(name, 0.0) * 1e3:>10.1f}" for _, _, passes in columns))
    print("all passes, ms".ljust(28) + "".join(f"{sum(passes.get(n, 0.0) for n in names) * 1e3:>10.1f}" for _, _, passes in columns))
    print("whole run, processor ms".ljust(28) + "".join(f"{total * 1e3:>10.1f}" for _, total, _ in columns))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
