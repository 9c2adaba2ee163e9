// SPDX-License-Identifier: Apache-2.0
#include "server/render/inspect_text.h"
#include "server/render/json_output.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

source::SourcePtr source(const std::string &text) { return std::make_shared<source::SourceText>("k.py", text); }

TEST(JsonOutput, DiagnosticMembersAndOrder) {
  source::SourcePtr text = source("w: pl.NZ\n😀BADUSE");
  testing::FakeCompiler compiler;
  diag::Diagnostic diagnostic = compiler.check(text, {}, {}).diagnostics.at(0);
  auto lookup = [&](const std::string &path) { return path == "k.py" ? text : nullptr; };
  EXPECT_EQ(
      diagnosticJson(diagnostic, lookup),
      R"({"code":"PL3105","slug":"nz-offset-align","severity":"error","path":"k.py",)"
      R"("range":{"start":{"line":1,"character":2},"end":{"line":1,"character":8}},)"
      R"("message":"the offset `r0` is not a multiple of 16","kernel":"Fake.kern",)"
      R"("annotation":{"path":"k.py","range":{"start":{"line":0,"character":3},"end":{"line":0,"character":8}}},)"
      R"("related":[{"path":"k.py","range":{"start":{"line":0,"character":3},"end":{"line":0,"character":8}},"message":"declared NZ here"}],)"
      R"("fixes":[{"title":"use a multiple of 16","edits":[{"path":"k.py","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":8}},"newText":"16"}]}]})");
}

TEST(JsonOutput, UnreadableFilesAndInvalidBytes) {
  diag::Diagnostic diagnostic;
  diagnostic.code = diag::UndefinedName.code;
  diagnostic.at = {"b\xFF.py", {3, 4}};
  std::string json = diagnosticJson(diagnostic, [](const std::string &) { return nullptr; });
  EXPECT_NE(json.find("\"path\":\"b\xEF\xBF\xBD.py\",\"range\":{\"start\":{\"line\":0,\"character\":0}"),
            std::string::npos)
      << json;
  EXPECT_EQ(json.find("annotation"), std::string::npos);
}

TEST(JsonOutput, Summary) {
  EXPECT_EQ(summaryJson({3, 2, 1, 0, std::nullopt}), R"({"summary":{"files":3,"kernels":2,"errors":1,"warnings":0}})");
  EXPECT_EQ(summaryJson({3, 2, 1, 0, 7}), R"({"summary":{"files":3,"kernels":2,"errors":1,"warnings":0,"ms":7}})");
}

TEST(JsonOutput, Inspect) {
  source::SourcePtr text = source("w: pl.NZ\nLOAD\nBADUSE");
  testing::FakeCompiler compiler;
  compiler::InspectResult result = compiler.inspect(text, {}, {});
  EXPECT_EQ(
      inspectJson(result, *text),
      R"({"path":"k.py","arch":"a3","kernels":[{"entry":"Fake.kern","tensors":[)"
      R"({"name":"w","line":1,"layout":"NZ","dtype":"FP16","logical":[192,64],"c0":16,)"
      R"("blocked":[1,4,12,16,16],"strides":[12288,3072,256,16,1]}],"accesses":[)"
      R"j({"op":"load","tensor":"w","line":2,"result":"w_l1","offsets":[0,0,"floordiv(r0, 16)",0,0],)j"
      R"("sizes":[1,4,3,16,16],"tile":[48,64],"gapBlocks":144,"proof":[{"axis":-2,"factor":16,"expr":"r0",)"
      R"("multiple":"48 * lane: factor 48","nonNegative":"block index"}]},)"
      R"({"op":"load","tensor":"w","line":3,"rejected":"nz-offset-align"}],"chunks":[],"tiles":[],"memory":[]}]})");
}

TEST(JsonOutput, InspectLowering) {
  source::SourcePtr text = source("w: pl.NZ\nLOAD\nSTORE");
  compiler::InspectResult result;
  result.arch = "a3";
  compiler::InspectKernel kernel{.entry = "P.kern"};
  kernel.chunks.push_back({.tensor = "y",
                           .range = {14, 19},
                           .columns = 512,
                           .offsets = {{int64_t{0}, std::string("c")}},
                           .partitions = {{int64_t{1}, int64_t{64}}}});
  kernel.tiles.push_back({.function = "kern",
                          .result = "acc",
                          .range = {9, 13},
                          .shape = {64, 1024, 64},
                          .tile = {64, 512, 32},
                          .stationary = "output"});
  kernel.memory.push_back({"kern", "Acc", "L0C", 131072, 131072});
  result.kernels.push_back(kernel);
  EXPECT_EQ(
      inspectJson(result, *text),
      R"({"path":"k.py","arch":"a3","kernels":[{"entry":"P.kern","tensors":[],"accesses":[],"chunks":[)"
      R"({"store":3,"tensor":"y","n":512,"partitions":[[1,64]],"offsets":[[0,"c"]]}],"tiles":[)"
      R"({"line":2,"result":"acc","function":"kern","shape":[64,1024,64],"tile":[64,512,32],"stationary":"output"}],)"
      R"("memory":[{"function":"kern","space":"Acc","hardware":"L0C","used":131072,"capacity":131072}]}]})");
}

TEST(JsonOutput, ManifestSaysHowAnNzArgumentIsPacked) {
  compiler::LoweredKernel kernel{.name = "kern", .entry = "P.kern", .coreType = "aic"};
  compiler::LoweredKernel::Argument weight{
      .name = "w", .kind = "tensor", .direction = "in", .dtype = "FP16", .layout = "NZ"};
  weight.shape = {std::string("B"), int64_t{32}, int64_t{64}};
  weight.blocked = {std::string("B"), int64_t{4}, int64_t{2}, int64_t{16}, int64_t{16}};
  weight.strides = {int64_t{2048}, int64_t{512}, int64_t{256}, int64_t{16}, int64_t{1}};
  weight.panelElements = 2048;
  weight.elementBytes = 2;
  weight.dynamicBatch = true;
  kernel.arguments.push_back(weight);
  kernel.arguments.push_back({.name = "B", .kind = "extent", .dtype = "INDEX", .extentOf = "w", .extentAxis = 0});
  std::string json = manifestJson({{"k.py", "a3", &kernel}}, "1");
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_NE(json.find(R"("packing":{"panelElements":2048,"panels":"B","elementBytes":2,"rank":3,"dynamicBatch":true})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"({"name":"B","kind":"extent","dtype":"INDEX","source":{"argument":"w","axis":0}})"),
            std::string::npos)
      << json;
}

TEST(InspectText, OneFactALine) {
  source::SourcePtr text = source("w: pl.NZ\nLOAD\nBADUSE");
  testing::FakeCompiler compiler;
  EXPECT_EQ(inspectText(compiler.inspect(text, {}, {}), *text),
            "kernel Fake.kern  (a3)\n"
            "  tensor w: NZ FP16  (k.py:1)\n"
            "    logical   [192, 64]\n"
            "    blocked   [1, 4, 12, 16, 16]  c0 = 16\n"
            "    strides   [12288, 3072, 256, 16, 1]  in elements\n"
            "  load of w to w_l1  (k.py:2)\n"
            "    offsets   [0, 0, floordiv(r0, 16), 0, 0]\n"
            "    sizes     [1, 4, 3, 16, 16]\n"
            "    tile      [48, 64]\n"
            "    gap       144 of at most 65535 32-byte blocks\n"
            "    rows      r0 is a multiple of 16 (48 * lane: factor 48) and never negative (block index)\n"
            "  load of w  (k.py:3)\n"
            "    refused   nz-offset-align\n");
}

} // namespace
} // namespace placid::server
