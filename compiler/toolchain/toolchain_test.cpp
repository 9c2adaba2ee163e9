// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/toolchain.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace placid::toolchain {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Toolchain, EveryArchHasOneForTheDeviceAndTheSimulator) {
  for (size_t i = 0; i < target::kArchNames.size(); ++i) {
    auto arch = static_cast<target::Arch>(i);
    EXPECT_TRUE(buildsFor(deviceToolchain(arch), arch));
    EXPECT_EQ(deviceToolchain(arch).compiler, Compiler::Cce);
    EXPECT_TRUE(buildsFor(*findToolchain("cpu-sim"), arch));
  }
  EXPECT_FALSE(buildsFor(*findToolchain("cann-a3"), target::Arch::A5));
  EXPECT_EQ(findToolchain("cann"), nullptr);
}

TEST(Toolchain, Releases) {
  EXPECT_EQ(parseRelease("ptoas 0.60\n"), (Release{0, 60}));
  EXPECT_EQ(parseRelease("LLVM (http://llvm.org/):\n  ptoas version 1.2.3"), (Release{1, 2}));
  EXPECT_EQ(parseRelease("v0.57"), (Release{0, 57}));
  for (const char *text : {"", "ptoas", "ptoas 7", "a0.60", "ptoas 0.x", "ptoas 99999999999.1"}) {
    EXPECT_EQ(parseRelease(text), std::nullopt) << text;
  }
  EXPECT_LT((Release{0, 9}), (Release{0, 60}));
}

TEST(Toolchain, AnOldAssemblerIsRefusedForNzOnly) {
  Needs none = needsOf("module {\n}\n");
  Needs nz = needsOf("module {\n  %v = pto.make_tensor_view %a {layout = #pto.layout<nz>}\n}\n");
  EXPECT_FALSE(none.explicitNz);
  EXPECT_TRUE(nz.explicitNz);
  EXPECT_EQ(nz.line, 2U);
  EXPECT_FALSE(needsOf("func.func @to_bf16(%a: !pto.ptr<f32>) loc(\"to_bf16.py\")\n").bf16);
  EXPECT_TRUE(needsOf("x #pto.layout<nz>\n%t = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=bf16, rows=1>\n").bf16);
  EXPECT_TRUE(needsOf("func.func @k(%a: !pto.ptr<bf16>)").bf16);
  EXPECT_EQ(serviceOf({0, 27}, none).refusal, "");
  EXPECT_THAT(serviceOf({0, 59}, nz).refusal, HasSubstr("ptoas 0.59 cannot take an explicit NZ layout"));
  Service flag = serviceOf({0, 60}, nz);
  EXPECT_EQ(flag.refusal, "");
  EXPECT_THAT(flag.flags, ElementsAre("--disable-infer-layout"));
  EXPECT_THAT(flag.note, HasSubstr("0.60"));
  Service newer = serviceOf({0, 61}, nz);
  EXPECT_TRUE(newer.flags.empty() && newer.refusal.empty() && newer.note.empty());
}

TEST(Toolchain, CommandLines) {
  EXPECT_THAT(ptoasCommand("k.pto", "k.out", target::Arch::A2, target::Planner::Placid, {"--x"}).argv,
              ElementsAre("@ptoas@", "k.pto", "-o", "k.out", "--enable-insert-sync", "--pto-level=level3",
                          "--pto-arch=a2", "--x"));
  EXPECT_THAT(
      ptoasCommand("k.pto", "k.out", target::Arch::A5, target::Planner::Ptoas, {}).argv,
      ElementsAre("@ptoas@", "k.pto", "-o", "k.out", "--enable-insert-sync", "--pto-level=level2", "--pto-arch=a5"));
  Command cube = compileCommand(*findToolchain("cann-a3"), CoreType::Cube, "k.cpp", "k.o", {"-g"});
  for (const char *word :
       {"cce", "--cce-aicore-only", "--cce-aicore-arch=dav-c220-cube", "-DMEMORY_BASE", "-I@isa@/include", "-g"}) {
    EXPECT_THAT(cube.argv, Contains(word));
  }
  Command vector = compileCommand(*findToolchain("cann-a5"), CoreType::Vector, "k.cpp", "k.o", {});
  EXPECT_THAT(vector.argv, Contains("--cce-aicore-arch=dav-c310-vec"));
  EXPECT_THAT(vector.argv, Contains("-DREGISTER_BASE"));
  Command host = compileCommand(*findToolchain("cpu-sim"), CoreType::Vector, "k.cpp", "k.o", {});
  EXPECT_THAT(host.argv, Contains("-D__DAV_VEC__"));
  EXPECT_THAT(host.argv, Not(Contains("-D__DAV_CUBE__"))) << "the body would disappear without a word";
  EXPECT_EQ(linkCommand(*findToolchain("cann-a3"), "k.o", "k.so"), std::nullopt);
  EXPECT_THAT(linkCommand(*findToolchain("cpu-sim"), "k.o", "k.so")->argv, Contains("-shared"));
}

TEST(Toolchain, Expand) {
  auto value = [](const std::string &name) {
    return name == "isa" ? std::optional<std::string>("/opt/isa") : std::nullopt;
  };
  EXPECT_EQ(expand("-I@isa@/include", value), "-I/opt/isa/include");
  EXPECT_EQ(expand("@isa@@isa@", value), "/opt/isa/opt/isa");
  EXPECT_EQ(expand("a@b.c", value), "a@b.c");
  EXPECT_EQ(expand("@who@", value), "@who@");
}

} // namespace
} // namespace placid::toolchain
