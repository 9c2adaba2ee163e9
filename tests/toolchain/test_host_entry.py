#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The host's side of a kernel, from outside: the header that `build --host-entry` writes, compiled and called, and what `run`
refuses before anything runs. Needs a C++ compiler (CXX, else the first of clang++ and g++).
"""
import argparse
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
        built = subprocess.run([cxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", "out", "main.cpp", "-o", "main"],
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

    def run_with(self, shape, count):
        (self.folder / "x.bin").write_bytes(struct.pack("<1024e", *[1.0] * 1024))
        (self.folder / "w.bin").write_bytes(struct.pack(f"<{count}e", *[1.0] * count))
        given = f"w:{shape}=w.bin" if shape else "w=w.bin"
        return self.run_placid("run", "--kernel", "batch", "--in", "x:16x64=x.bin", "--in", given, "--in", "lane=0", "--out", "out", "k.py")

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
