#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs through the real assembler and the CPU simulator of pto-isa, against the oracle.

    simulate.py --placid build/release/bin/placid [--core vector|cube|both] [--planner placid|ptoas] [--seeds N] [--first S]

Takes `ptoas` from PTOAS_ROOT or PATH, the headers from PTO_ISA_ROOT (a checkout of pto-isa), clang from CXX (clang++-22). The
kernel is compiled with its asserts and run in program order, so data flow, addresses, layouts and arithmetic are compared, not
synchronisation. Of a kernel for both cores, the cube core and both vector lanes are a thread each, and the headers' pipe is between them. Ends with `N programs agree, M failed, K use what the simulator has not`; exits 77 with a line that says why where a tool is missing.
"""
import argparse
import itertools
import os
import pathlib
import re
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
TYPES = {"FP32": "float", "FP16": "half", "BF16": "bfloat16_t", "INT32": "int32_t", "INT16": "int16_t", "INT8": "int8_t", "UINT8": "uint8_t"}
#: The headers take clang's BF16 under the name of C++23, which the host's library may not have; without it BF16 would be FP16.
STDFLOAT = "#pragma once\nnamespace std { using bfloat16_t = __bf16; }\n"
HARNESS = """#include <cstdint>
#include <cstddef>
#include "{kernel}"
#include <cstdio>
#include <thread>
#include <vector>
template <class T> std::vector<T> read(const char *path, size_t count) {{
  std::vector<T> out(count);
  FILE *file = std::fopen(path, "rb");
  if (!file || std::fread(out.data(), sizeof(T), count, file) != count) std::exit(2);
  std::fclose(file);
  return out;
}}
// What clang calls to round, and an older runtime library lacks.
extern "C" __attribute__((weak)) __bf16 __truncsfbf2(float value) {{
  uint32_t bits = __builtin_bit_cast(uint32_t, value);
  bits = value != value ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return __builtin_bit_cast(__bf16, static_cast<uint16_t>(bits >> 16));
}}
int main() {{
{reads}
  for (int block = 0; block < {blocks}; ++block) {{
{calls}
  }}
{writes}
}}
"""
#: One core of a group. What a core has in its memories is its thread's.
THREAD = """    cores.emplace_back([&] {{
      pto::cpu_sim::set_execution_context(block, {lane}, {lanes});
      {call};
    }});"""


def seedsOf(core):
    """Numbers of the programs that generate.py makes for one core, without those for both."""
    for seed in itertools.count():
        if seed % 6 == 4 if core == "both" else (seed % 3 == 2) == (core == "vector") and seed % 6 not in (3, 4):
            yield seed


def packed(data, shape):
    """The elements of an NZ tensor in their order in memory: planes, column blocks of one C0 line, rows."""
    *_, rows, columns, line = shape
    plane = rows * columns
    return [
        data[p * plane + r * columns + block + c]
        for p in range(len(data) // plane)
        for block in range(0, columns, line)
        for r in range(rows)
        for c in range(line)
    ]


def takenWhole(text):
    """Where only the first lane works, the other takes empty tiles, to keep in step. The simulator loads whole ones."""
    def whole(match):
        rows, columns = re.search(r"rows=(\d+), cols=(\d+)", match.group(0)).groups()
        plain = match.group(0).replace("(%c0_index, %c0_index)", "")
        return plain.replace("v_row=?, v_col=?", f"v_row={rows}, v_col={columns}")

    return re.sub(r"pto\.tpop_from_ai[cv]\(%c0_index, %c0_index\).*", whole, text)


def loadsIntoWindow(text):
    """Rows go into windows of a tile. A load of the simulator fills as much as a whole tile with padding first, behind the window."""
    return any(re.search(rf"pto\.tload .*outs\({name} :", text) for name in re.findall(r"(%\w+) = pto\.subview ", text))


def wholeForBoth(text):
    """Each lane works on whole tiles of the cube core, which the simulator gives to the first lane alone: the other gets zeros."""
    return "pto.tpop_from_aic {split = 0}" in text and "pto.tpop_from_aic(%c0_index, %c0_index)" not in text


def freedAtOnce(text):
    """The simulator gives back the tile that a lane took last, whichever it is done with. A pop copies the tile, so it can be given
    back at once."""
    kept = [line for line in text.splitlines() if "pto.tfree_from_ai" not in line]
    lines = []
    for line in kept:
        lines.append(line)
        taken = re.search(r"pto\.tpop(_from_ai[cv])\b.*?(\{[^}]*split = \d\})", line)
        if taken:
            lines.append(f"    pto.tfree{taken.group(1)} {taken.group(2)}")
    return "\n".join(lines) + "\n"


def pipeForEachWay(text):
    """The simulator has one place where the next tile goes, whichever way it goes; the chip has one a core. So a pipe of both ways
    becomes two, with slots of their own."""
    if "dir_mask = 3" not in text:
        return text

    def two(match):
        operation, attributes, ring, rest = match.groups()
        size, slots = (int(re.search(rf"{name} = (\d+)", attributes).group(1)) for name in ("slot_size", "slot_num"))
        first, second = (attributes.replace("dir_mask = 3", f"id = {i}, dir_mask = {i + 1}") for i in (0, 1))
        return "\n".join((
            f"pto.{operation} {{{first}}} (gm_slot_buffer = {ring} : {rest}",
            f"    %second_at = arith.constant {size * slots // 4} : index",
            f"    %second = pto.addptr {ring}, %second_at : !pto.ptr<f32> -> !pto.ptr<f32>",
            f"    pto.{operation} {{{second}}} (gm_slot_buffer = %second : {rest}"))  # fmt: skip

    text = re.sub(r"pto\.(ai[cv]_initialize_pipe) {([^}]*dir_mask = 3[^}]*)} ?\(gm_slot_buffer = (%\w+) : (.*)", two, text)
    return re.sub(r"(pto\.(?:tpush_to_aic|tpop_from_aiv|tfree_from_aiv)\b.*?){split", r"\1{id = 1, split", text)


def callsOf(kernel, text, blocks):
    """The statements that run one block: a call, or a thread for each core of the group."""
    functions = kernel.get("functions") or {kernel["coreType"]: kernel["name"]}
    calls = []
    for core, function in functions.items():
        signature = re.search(rf"func\.func @{re.escape(function)}\((.*?)\) ", text).group(1)
        names = [f"{argument['name']}.data()" for argument in kernel["arguments"]]
        count = signature.count("%arg") - len(names)
        # Which block and how many there are; of a group, the vector lane last.
        hasLane = len(functions) > 1 and core == "aiv" and count % 2 == 1
        identities = ["block", str(blocks)][: count - hasLane]
        for lane in (0, 1) if len(functions) > 1 and core == "aiv" else (0,):
            given = ", ".join([*names, *identities, *([str(lane)] if hasLane else [])])
            calls.append((lane, 2 if core == "aiv" else 1, f"{function}({given})"))
    if len(calls) == 1:
        return f"    {calls[0][2]};"
    threads = "\n".join(THREAD.format(lane=lane, lanes=count, call=call) for lane, count, call in calls)
    return f"    std::vector<std::thread> cores;\n{threads}\n    for (std::thread &core : cores) {{\n      core.join();\n    }}"


def simulate(options, program, extra, seed, folder):
    text = "import pypto.language as pl\n" + generate.program(seed)
    source = folder / "program.py"
    source.write_text(text)
    build = [options.placid, "build", "--until", "pto", "--planner", options.planner, "--out", str(folder), str(source)]
    try:
        harness.run(build, "build")
    except harness.Mismatch as why:
        return f"{'none' if any(code in str(why) for code in generate.CAPACITY) else 'FAIL'} {seed}: {why}"
    kernel, *others = harness.manifestOf(folder)["kernels"]
    if others:
        return f"none {seed}: several kernels, one after the other"
    unit = folder / kernel["pto"]
    if loadsIntoWindow(unit.read_text()):
        return f"none {seed}: rows are loaded into windows of a tile"
    if wholeForBoth(unit.read_text()):
        return f"none {seed}: both lanes take whole tiles"
    made = takenWhole(unit.read_text())
    unit.write_text(pipeForEachWay(freedAtOnce(made)))
    accepted, _, complaint = assemble.assemble(program, extra, folder / kernel["pto"], options.planner)
    if not accepted and "overflow" in complaint:
        return f"none {seed}: ptoas finds no place: {complaint}"
    if not accepted:
        return f"FAIL {seed}: ptoas: {complaint}"
    function, owner = oracle.entries(oracle.loadProgram(source))[kernel["entry"]]
    problem = harness.Problem(function, owner, f"data {seed}", text)
    problem.solve()
    launched = re.match(r"// blocks: (\d+)", unit.read_text())
    blocks = problem.blocks or (int(launched.group(1)) if launched else 1)
    reads, writes, wanted = [], [], {}
    for argument in kernel["arguments"]:
        name = argument["name"]
        if argument["kind"] == "workspace":
            reads.append(f'  std::vector<{TYPES[argument["dtype"]]}> {name}({2 * argument["shape"][0]});')
            continue
        if name not in problem.data:
            return f"none {seed}: `{name}` is no parameter of the program"
        dtype, data = problem.specs[name].dtype, problem.data[name]
        inMemory = (lambda v, a=argument: packed(v, [*a["shape"], a["blocked"][4]])) if argument["layout"] == "NZ" else list
        (folder / f"{name}.in").write_bytes(dtype.pack(inMemory(data)))
        wanted[name] = dtype.pack([dtype.round(v) for v in inMemory(problem.expected[name])])
        reads.append(f'  auto {name} = read<{TYPES[dtype.name]}>("{folder}/{name}.in", {len(data)});')
        writes.append(f'  FILE *{name}_out = std::fopen("{folder}/{name}.out", "wb");')
        writes.append(f"  std::fwrite({name}.data(), sizeof({name}[0]), {name}.size(), {name}_out);\n  std::fclose({name}_out);")
    calls = callsOf(kernel, unit.read_text(), blocks)
    code = HARNESS.format(kernel=unit.with_suffix(".cpp"), reads="\n".join(reads), calls=calls, writes="\n".join(writes), blocks=blocks)
    (folder / "main.cpp").write_text(code)
    (folder / "stdfloat").write_text(STDFLOAT)
    cores = [macro for core, macro in (("aiv", "-D__DAV_CUBE__"), ("aic", "-D__DAV_VEC__")) if kernel["coreType"] != core]
    command = [options.cxx, "-std=c++23", "-O1", "-w", "-D__CPU_SIM", *cores, "-D__STDCPP_BFLOAT16_T__=1", f"-I{folder}", "-include", "stdint.h", "-include", "stddef.h",
               f"-I{options.isa}/include", str(folder / "main.cpp"), "-o", str(folder / "main"), "-pthread", "-ldl"]  # fmt: skip
    for step in (command, [str(folder / "main")]):
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return f"FAIL {seed}: {step[0]}: does not end"
        if "static assertion failed" in done.stderr and "upported data type" in done.stderr:
            return f"none {seed}: the simulator has no form of an instruction for these types"
        if done.returncode != 0:
            return f"FAIL {seed}: {step[0]}: {done.stderr.strip()[:600]}"
    for name, data in wanted.items():
        if (folder / f"{name}.out").read_bytes() != data:
            return f"FAIL {seed}: `{name}` differs"
    return f"ok {seed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    parser.add_argument("--core", choices=("vector", "cube", "both"), default="vector")
    parser.add_argument("--planner", choices=("placid", "ptoas"), default="placid")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--keep", type=pathlib.Path, help="where the files of programs that fail are left")
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
    for seed in itertools.islice(seedsOf(options.core), options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            line = simulate(options, program, extra, seed, pathlib.Path(folder))
            if options.keep and line.startswith("FAIL"):
                shutil.copytree(folder, options.keep / str(seed), dirs_exist_ok=True)
        if not line.startswith("ok"):
            print(line, flush=True)
            failed += line.startswith("FAIL")
            absent += line.startswith("none")
    print(f"{options.seeds - failed - absent} programs agree, {failed} failed, {absent} use what the simulator has not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
