#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random vector programs through the real assembler and the CPU simulator of pto-isa, against the oracle.

    simulate.py --placid build/release/bin/placid [--seeds N] [--first S]

Takes `ptoas` from PTOAS_ROOT or PATH, the headers from PTO_ISA_ROOT (a checkout of pto-isa), clang from CXX (clang++-22). The
kernel is compiled with its asserts and run in program order, so data flow, addresses, layouts and arithmetic are compared, not
synchronisation. Ends with `N programs agree, M failed, K use what the simulator has not`; exits 77 with a line that says why where a tool is missing.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "truth")]
import assemble  # noqa: E402
import generate  # noqa: E402
import harness  # noqa: E402
import pl_oracle as oracle  # noqa: E402

SKIPPED = 77
TYPES = {"FP32": "float", "FP16": "half", "INT32": "int32_t"}
HARNESS = """#include <cstdint>
#include <cstddef>
#include "{kernel}"
#include <cstdio>
#include <vector>
template <class T> std::vector<T> read(const char *path, size_t count) {{
  std::vector<T> out(count);
  FILE *file = std::fopen(path, "rb");
  if (!file || std::fread(out.data(), sizeof(T), count, file) != count) std::exit(2);
  std::fclose(file);
  return out;
}}
int main() {{
{reads}
  {name}({arguments});
{writes}
}}
"""


def simulate(options, program, extra, seed, folder):
    text = "import pypto.language as pl\n" + generate.program(seed)
    source = folder / "program.py"
    source.write_text(text)
    harness.run([options.placid, "build", "--until", "pto", "--out", str(folder), str(source)], "build")
    kernel = harness.manifestOf(folder)["kernels"][0]
    # Built on an LLVM that is not its own, ptoas 0.60 prints a clamp without parentheses in a sum: `a + b < 0 ? 0 : b`. No
    # offset here is negative.
    unit = folder / kernel["pto"]
    unit.write_text(unit.read_text().replace("arith.maxsi", "arith.addi"))
    accepted, _, complaint = assemble.assemble(program, extra, folder / kernel["pto"])
    if not accepted:
        return f"FAIL {seed}: ptoas: {complaint}"
    function, owner = oracle.entries(oracle.loadProgram(source))[kernel["entry"]]
    problem = harness.Problem(function, owner, f"data {seed}", text)
    problem.solve()
    reads, writes, names = [], [], []
    for argument in kernel["arguments"]:
        name = argument["name"]
        dtype, data = problem.specs[name].dtype, problem.data[name]
        (folder / f"{name}.in").write_bytes(dtype.pack(data))
        reads.append(f'  auto {name} = read<{TYPES[dtype.name]}>("{folder}/{name}.in", {len(data)});')
        writes.append(f'  FILE *{name}_out = std::fopen("{folder}/{name}.out", "wb");')
        writes.append(f"  std::fwrite({name}.data(), sizeof({name}[0]), {name}.size(), {name}_out);\n  std::fclose({name}_out);")
        names.append(f"{name}.data()")
    code = HARNESS.format(kernel=(folder / kernel["pto"]).with_suffix(".cpp"), reads="\n".join(reads), name=kernel["name"],
                          arguments=", ".join(names), writes="\n".join(writes))  # fmt: skip
    (folder / "main.cpp").write_text(code)
    command = [options.cxx, "-std=c++20", "-O1", "-w", "-D__CPU_SIM", "-D__DAV_VEC__", "-include", "stdint.h", "-include", "stddef.h",
               f"-I{options.isa}/include", str(folder / "main.cpp"), "-o", str(folder / "main"), "-pthread", "-ldl"]  # fmt: skip
    for step in (command, [str(folder / "main")]):
        done = subprocess.run(step, capture_output=True, text=True, timeout=120, check=False)
        if "static assertion failed" in done.stderr and "upported data type" in done.stderr:
            return f"none {seed}: the simulator has no form of an instruction for these types"
        if done.returncode != 0:
            return f"FAIL {seed}: {step[0]}: {done.stderr.strip()[:400]}"
    for name, data in problem.expected.items():
        if (folder / f"{name}.out").read_bytes() != problem.specs[name].dtype.pack(data):
            return f"FAIL {seed}: `{name}` differs"
    return f"ok {seed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    options.cxx = shutil.which(os.environ.get("CXX", "clang++-22"))
    options.isa = os.environ.get("PTO_ISA_ROOT")
    program = assemble.find()
    for missing, what in ((not program, "ptoas on PATH or in PTOAS_ROOT"), (not options.isa, "PTO_ISA_ROOT"), (not options.cxx, "clang")):
        if missing:
            print(f"skipped: no {what}")
            return SKIPPED
    extra = ["--disable-infer-layout"] if assemble.version(program) <= (0, 60) else []
    failed = absent = 0
    for number in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            line = simulate(options, program, extra, 3 * number + 2, pathlib.Path(folder))  # every third is a vector program
        if not line.startswith("ok"):
            print(line)
            failed += line.startswith("FAIL")
            absent += line.startswith("none")
    print(f"{options.seeds - failed - absent} programs agree, {failed} failed, {absent} use what the simulator has not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
