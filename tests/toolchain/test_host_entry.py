#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The host's side of a kernel, from outside: the header that `build --host-entry` writes, compiled and called, and what `run`
refuses before anything runs. Needs a C++ compiler (CXX, else the first of clang++ and g++).
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = """import pypto.language as pl

B = pl.dynamic("B")


@pl.program
class Host:
    @pl.function(type=pl.FunctionType.InCore)
    def batch(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[B, 64, 32], pl.FP16, pl.NZ],
        lane: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0, 0], [1, 64, 32], target_memory=pl.Mem.Mat)
        b_2d = pl.reshape(b, [64, 32])
        acc = pl.matmul(a, b_2d)
        out = pl.store(acc, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def cards(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[2, 3, 64, 32], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[16, 32], pl.FP32, pl.NZ]:
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [1, 2, 0, 0], [1, 1, 64, 32], target_memory=pl.Mem.Mat)
        b_2d = pl.reshape(b, [64, 32])
        acc = pl.matmul(a, b_2d)
        out = pl.store(acc, [0, 0], out)
        return out
"""

PROGRAM = """#include "batch.entry.h"
#include "cards.entry.h"
#include <cstdio>
#include <vector>
int main() {
  char memory[64];
  const int64_t x[] = {16, 64}, w2[] = {64, 32}, w3[] = {5, 64, 32}, w4[] = {1, 5, 64, 32}, out[] = {16, 32}, odd[] = {5, 64, 48};
  placid_batch::Arguments in{};
  in.x = {memory, 2, x};
  in.w = {memory + 16, 3, w3};
  in.out = {memory + 8, 2, out};
  in.lane = 7;
  placid_batch::Call call;
  auto tell = [](const char *why) { std::printf("%s\\n", why ? why : "bound"); };
  tell(bind(in, call));
  std::printf("%lld %lld %lld %lld %lld\\n", (long long)(call.slots[0] - (int64_t)memory), (long long)(call.slots[1] - (int64_t)memory),
              (long long)(call.slots[2] - (int64_t)memory), (long long)call.slots[3], (long long)call.slots[4]);
  for (int i = 0; i < 5; ++i) std::printf("%lld/%lld ", (long long)call.w.shape[i], (long long)call.w.strides[i]);
  std::printf("\\n");
  in.w = {memory, 2, w2};
  tell(bind(in, call));
  in.w = {memory, 4, w4};
  tell(bind(in, call));
  in.w = {memory, 3, odd};
  tell(bind(in, call));
  in.w = {nullptr, 3, w3};
  tell(bind(in, call));
  placid_cards::Arguments both{};
  const int64_t cards[] = {2, 3, 64, 32};
  both.x = {memory, 2, x};
  both.w = {memory, 4, cards};
  both.out = {memory, 2, out};
  placid_cards::Call folded;
  tell(bind(both, folded));
  std::printf("%lld planes\\n", (long long)folded.w.shape[0]);
  both.w.rank = 3;
  tell(bind(both, folded));
  std::vector<uint16_t> logical(2 * 64 * 32), packed(logical.size()), back(logical.size());
  for (size_t i = 0; i < logical.size(); ++i) logical[i] = (uint16_t)i;
  placid_cards::pack_w(logical.data(), packed.data(), 2);
  bool right = true;
  for (int p = 0; p < 2; ++p)
    for (int r = 0; r < 64; ++r)
      for (int c = 0; c < 32; ++c)
        right &= packed[p * 2048 + c / 16 * 64 * 16 + r / 16 * 16 * 16 + r % 16 * 16 + c % 16] == logical[p * 2048 + r * 32 + c];
  placid_cards::unpack_w(packed.data(), back.data(), 2);
  std::printf("%s %s\\n", right ? "packed" : "WRONG", back == logical ? "and back" : "WRONG");
}
"""


# What the first program has not: extents that are computed, names that C++ keeps, DN, block numbers, both cores.
MORE = """import pypto.language as pl

M = pl.dynamic("M")


@pl.program
class More:
    @pl.function(type=pl.FunctionType.InCore)
    def register(
        self,
        requires: pl.Tensor[[M, 64], pl.FP32],
        Tensor: pl.Tensor[[M * 2, 64], pl.FP32],
        INT64_MAX: pl.Tensor[[M + 1, 64], pl.FP32],
        int8_t: pl.Tensor[[(M + 1) // 2, 64], pl.FP32],
        concept: pl.Scalar[pl.BOOL],
        co_await: pl.Scalar[pl.FP16],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(requires, [0, 0], [16, 64])
        u = pl.load(Tensor, [0, 0], [16, 64])
        v = pl.load(INT64_MAX, [0, 0], [16, 64])
        w = pl.load(int8_t, [0, 0], [8, 64])
        s = pl.add(pl.add(t, u), v)
        out = pl.store(s, [0, 0], out)
        out = pl.store(w, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def turned(
        self,
        x: pl.Tensor[[32, 64], pl.FP32, pl.DN],
        out: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    ) -> pl.Tensor[[32, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [32, 64])
        out = pl.store(t, [0, 0], out)
        return out


@pl.jit
def planes(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[4, 3, 32, 64], pl.FP16, pl.NZ],
    n: pl.Scalar[pl.INDEX],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    w_win = pl.slice(w, [n, 3, 32, 64], [1, 0, 0, 0])
    for i in pl.spmd(2, name_hint="planes_core"):
        acc = pl.matmul(act[0:16, 0:64], w_win[0:1, 0:1, 0:32, 0:64], b_trans=True, out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.reshape(acc, [16, 32])
    return dst


@pl.jit
def both(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[64, 32], pl.FP16],
    dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="both_core"):
        acc = pl.matmul(act[0:16, 0:64], w[0:64, 0:32], out_dtype=pl.FP32)
        dst[0:16, 0:32] = pl.add(acc, 1.0)
    return dst


@pl.jit
def tasks(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="first") as first:
        out[0:32, :] = x[0:32, :]
    with pl.spmd(2, deps=[first], allow_early_resolve=True) as second:
        out[32:64, :] = x[32:64, :]
    return out
"""

MORE_PROGRAM = """#include "register.entry.h"
#include "turned.entry.h"
#include "planes_core.entry.h"
#include "both_core.entry.h"
#include <climits>
#include <cstdio>
#include <vector>
void say(const char *why) { std::printf("%s\\n", why ? why : "bound"); }
int main() {
  char memory[64];
  namespace r = placid_register;
  r::Arguments in{};
  int64_t m[] = {31, 64}, m2[] = {62, 64}, m1[] = {32, 64}, half[] = {16, 64};
  const int64_t out[] = {16, 64};
  in.a_requires = {memory, 2, m};
  in.Tensor_1 = {memory, 2, m2};
  in.a_INT64_MAX = {memory, 2, m1};
  in.a_int8_t = {memory, 2, half};
  in.a_concept = true;
  in.a_co_await = 0x3c00;
  in.out = {memory, 2, out};
  r::Call call;
  say(bind(in, call));
  for (int i = 0; i < r::Call::kSlots; ++i) std::printf("%lld ", (long long)(call.slots[i] == (int64_t)memory ? -1 : call.slots[i]));
  std::printf("\\n");
  m2[0] = 63;
  say(bind(in, call));
  m2[0] = 62;
  m1[0] = 31;
  say(bind(in, call));
  m1[0] = 32;
  half[0] = 15;
  say(bind(in, call));
  half[0] = 16;
  m[0] = LLONG_MAX;
  say(bind(in, call));
  m[0] = -1;
  say(bind(in, call));
  m[0] = 31;
  in.out.shape = nullptr;
  say(bind(in, call));

  std::vector<float> logical(32 * 64), turned(logical.size()), back(logical.size());
  for (size_t i = 0; i < logical.size(); ++i) logical[i] = (float)i;
  placid_turned::pack_x(logical.data(), turned.data(), 1);
  placid_turned::unpack_x(turned.data(), back.data(), 1);
  bool right = back == logical;
  for (size_t row = 0; row < 32; ++row)
    for (size_t c = 0; c < 64; ++c) right &= turned[c * 32 + row] == logical[row * 64 + c];
  std::printf("%s\\n", right ? "turned" : "WRONG");

  namespace p = placid_planes_core;
  const int64_t act[] = {16, 64}, dst[] = {16, 32};
  int64_t w[] = {2, 3, 32, 64};
  p::Arguments of{};
  of.act = {memory, 2, act};
  of.w_win = {memory, 4, w};
  of.dst = {memory, 2, dst};
  p::Call planes;
  say(bind(of, planes));
  std::printf("%lld planes, slots %d, block %d of %d, extent %lld\\n", (long long)planes.w_win.shape[0], p::Call::kSlots,
              p::Call::kBlockIdx, p::Call::kBlockNum, (long long)planes.slots[p::Call::kBlockIdx - 1]);
  w[0] = -7;
  say(bind(of, planes));
  w[0] = 2;
  of.w_win.rank = 3;
  say(bind(of, planes));

  namespace b = placid_both_core;
  b::Arguments mixed{};
  const int64_t weights[] = {64, 32};
  mixed.act = {memory, 2, act};
  mixed.w = {memory, 2, weights};
  mixed.dst = {memory, 2, dst};
  b::Call cores;
  say(bind(mixed, cores));
  mixed.gm_pipe_buffer = memory;
  say(bind(mixed, cores));
  std::printf("lane %d of %d slots\\n", b::Call::kAivSubblockIdx, b::Call::kSlots);
}
"""


class HostEntry(unittest.TestCase):
    placid = ""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)
        (self.folder / "k.py").write_text(SOURCE)

    def run_placid(self, *words):
        return subprocess.run([self.placid, *words], cwd=self.folder, capture_output=True, text=True, timeout=300)

    def test_header(self):
        cxx = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("clang++-22", "clang++", "g++"))), None)
        if cxx is None:
            self.skipTest("no C++ compiler")
        made = self.run_placid("build", "--until", "pto", "--host-entry", "--out", "out", "k.py")
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.folder / "main.cpp").write_text(PROGRAM)
        built = subprocess.run([cxx, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", "out", "main.cpp", "-o", "main"],
                               cwd=self.folder, capture_output=True, text=True, timeout=300)  # fmt: skip
        self.assertEqual(built.returncode, 0, built.stderr)
        said = subprocess.run(["./main"], cwd=self.folder, capture_output=True, text=True, timeout=60).stdout.splitlines()
        batch = "`w` needs rank 3, [B, 64, 32]: the number of its planes is its first extent, whatever its blocked shape would be"
        self.assertEqual(said, [
            "bound",
            "0 16 8 7 5",  # tensors, then the scalar, then the number of planes
            "5/2048 2/1024 4/256 16/16 16/1 ",
            batch,
            batch,
            "`w` is not [B, 64, 32]: axis 2",
            "`w` has no data",
            "bound",
            "6 planes",
            "`w` needs rank 4, [2, 3, 64, 32]",
            "packed and back",
        ])  # fmt: skip

    def compile(self, cxx, standard, name):
        built = subprocess.run(
            [cxx, f"-std={standard}", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-I", "out", f"{name}.cpp", "-o", name],
            cwd=self.folder, capture_output=True, text=True, timeout=300)  # fmt: skip
        self.assertEqual(built.returncode, 0, built.stderr)

    def test_what_is_computed_and_what_cpp_keeps(self):
        cxx = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("clang++-22", "clang++", "g++"))), None)
        if cxx is None:
            self.skipTest("no C++ compiler")
        (self.folder / "more.py").write_text(MORE)
        made = self.run_placid("build", "--until", "pto", "--host-entry", "--out", "out", "more.py")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(len(list((self.folder / "out").glob("*.entry.h"))), len(list((self.folder / "out").glob("*.pto"))))
        manifest = json.loads((self.folder / "out" / "manifest.json").read_text())
        kernels = {kernel["name"]: kernel for kernel in manifest["kernels"]}
        for kernel in kernels.values():
            names = [argument["name"] for argument in kernel["arguments"]]
            self.assertTrue(all(names) and len(set(names)) == len(names), names)
        planes = kernels["planes_core"]
        self.assertEqual(planes["launch"], ["block_idx", "block_num"])
        window = next(argument for argument in planes["arguments"] if argument["name"] == "w_win")
        self.assertFalse(window["packing"]["dynamicBatch"])
        extent = next(argument for argument in planes["arguments"] if argument["kind"] == "extent")
        self.assertEqual(extent["computedFrom"], [{"symbol": "n", "argument": "w_win", "axis": 0}])
        self.assertNotIn("source", extent)
        self.assertEqual(kernels["both_core"]["launch"], {"aiv": ["subblock_idx"]})
        (self.folder / "more.cpp").write_text(MORE_PROGRAM)
        for standard in ("c++17", "c++20"):
            self.compile(cxx, standard, "more")
        said = subprocess.run(["./more"], cwd=self.folder, capture_output=True, text=True, timeout=60).stdout.splitlines()
        lanes = len(kernels["both_core"]["arguments"]) + 1
        slots = len(planes["arguments"]) + 2
        self.assertEqual(said, [
            "bound",
            "-1 -1 -1 -1 -1 1 15360 31 62 32 16 ",
            "`Tensor` is not [M * 2, 64]: axis 0",
            "`INT64_MAX` is not [M + 1, 64]: axis 0",
            "`int8_t` is not [(M + 1) // 2, 64]: axis 0",
            "the extent `M` is negative, or above 2^40",
            "the extent `M` is negative, or above 2^40",
            "`out` has no shape",
            "turned",
            "bound",
            f"6 planes, slots {slots}, block {slots - 2} of {slots - 1}, extent 6",
            "the extent `n` is negative, or above 2^40",
            "`w_win` needs rank 4, [n, 3, 32, 64]",
            "`gm_pipe_buffer` has no memory",
            "bound",
            f"lane {lanes - 1} of {lanes} slots",
        ])  # fmt: skip

    def test_every_keyword(self):
        cxx = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("clang++-22", "clang++", "g++"))), None)
        if cxx is None:
            self.skipTest("no C++ compiler")
        words = "alignas alignof and_eq asm auto bitand bitor bool case catch char char8_t char16_t char32_t co_return co_yield compl " \
            "const consteval constexpr constinit const_cast decltype default delete do double dynamic_cast enum explicit export " \
            "extern float friend goto inline int long mutable namespace new noexcept not_eq nullptr operator or_eq private protected " \
            "public reinterpret_cast short signed sizeof static static_assert static_cast struct switch template this thread_local " \
            "throw typedef typeid typename union unsigned using virtual void volatile wchar_t xor xor_eq false true linux unix NULL " \
            "INT8_MIN UINT64_MAX INT32_C SIZE_MAX intptr_t size_t Blocked Arguments Call slots kSlots extents bind _Bool".split()  # fmt: skip
        parameters = "".join(f"        {word}: pl.Tensor[[16, 64], pl.FP16, pl.NZ],\n" for word in words)
        (self.folder / "words.py").write_text(
            "import pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n    def words(\n        self,\n"
            + parameters + "        out: pl.Out[pl.Tensor[[16, 64], pl.FP16]],\n    ) -> pl.Tensor[[16, 64], pl.FP16]:\n"
            "        t = pl.load(out, [0, 0], [16, 64])\n        out = pl.store(t, [0, 0], out)\n        return out\n")  # fmt: skip
        made = self.run_placid("build", "--until", "pto", "--host-entry", "--out", "out", "words.py")
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.folder / "words.cpp").write_text('#include "words.entry.h"\nint main() { placid_words::Call call; (void)call; }\n')
        for standard in ("c++17", "gnu++17", "c++20"):
            self.compile(cxx, standard, "words")

    def test_a_dynamic_dimension_is_an_identifier(self):
        for name in ("B\\nextern int injected;\\n//", "N\\\\", "a*b", "", "3x"):
            (self.folder / "name.py").write_text(SOURCE.replace('pl.dynamic("B")', f'pl.dynamic("{name}")'))
            made = self.run_placid("build", "--until", "pto", "--host-entry", "--out", "named", "name.py")
            self.assertEqual(made.returncode, 1, name)
            self.assertIn("must be an identifier", made.stderr)

    def test_until_pl_has_no_host(self):
        made = self.run_placid("build", "--until", "pl", "--host-entry", "--out", "out", "k.py")
        self.assertEqual(made.returncode, 2, made.stderr)
        self.assertIn("--host-entry: a build that ends with PL IR", made.stderr)

    def run_with(self, shape, count):
        (self.folder / "x.bin").write_bytes(struct.pack("<1024e", *[1.0] * 1024))
        (self.folder / "w.bin").write_bytes(struct.pack(f"<{count}e", *[1.0] * count))
        given = f"w:{shape}=w.bin" if shape else "w=w.bin"
        return self.run_placid("run", "--kernel", "batch", "--in", "x:16x64=x.bin", "--in", given, "--in", "lane=0", "--out", "out", "k.py")

    def test_a_value_has_no_shape(self):
        (self.folder / "x.bin").write_bytes(bytes(2048))
        for given, why in (("lane:4=7", "a shape belongs to a file, and 7 is a value"), ("lane:4=x.bin", "`lane` is a number")):
            done = self.run_placid("run", "--kernel", "batch", "--in", given, "--out", "out", "k.py")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(why, done.stderr)

    def test_run_binds_and_refuses(self):
        for shape in ("2x64x32", None):
            done = self.run_with(shape, 2 * 64 * 32)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(struct.unpack("<512f", (self.folder / "out" / "out.bin").read_bytes()), (64.0,) * 512)
        for shape, why in (("64x32", "`w` is [64, 32], which the kernel takes as [B, 64, 32]: it needs rank 3, whose first extent is the"),
                           ("1x1x64x32", "it needs rank 3"), ("1x64x16", "axis 2 is 32"), ("1x64xx", "such as 4x256x512")):  # fmt: skip
            done = self.run_with(shape, 64 * 32)
            self.assertEqual(done.returncode, 2, (shape, done.stderr))
            self.assertIn(why, done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--placid", required=True)
    options, rest = parser.parse_known_args()
    HostEntry.placid = str(pathlib.Path(options.placid).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
