// SPDX-License-Identifier: Apache-2.0
#include "server/render/diagnostic_reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace placid::server {
namespace {

using Ordered = nlohmann::ordered_json;

TEST(DiagnosticReader, WhatWasWrittenIsRead) {
  source::SourcePtr text = std::make_shared<source::SourceText>("k.py", "w = \xf0\x9f\x98\x80\nx = load(w)\r\nlast");
  source::SourcePtr other = std::make_shared<source::SourceText>("lib.py", "N = 3\n");
  TextLookup lookup = [&](const std::string &path) {
    return path == "k.py" ? text : path == "lib.py" ? other : nullptr;
  };
  diag::Diagnostic written;
  written.code = diag::NzOffsetAlign.code;
  written.severity = diag::Severity::Warning;
  written.at = {"k.py", {13, 20}};
  written.message = "no\nmultiple";
  written.kernel = "K.kern";
  written.annotation = diag::Location{"k.py", {0, 8}};
  written.related.push_back({{"k.py", {0, 8}}, "declared", diag::Related::Role::Annotation});
  written.related.push_back({{"lib.py", {0, 1}}, "bound", diag::Related::Role::Note});
  written.fixes.push_back({"fix it", {{{"lib.py", {4, 5}}, "16"}, {{"k.py", {22, 26}}, "\xff"}}});
  written.fixes.push_back({"advice", {}});
  std::optional<diag::Diagnostic> read = readDiagnostic(Ordered::parse(diagnosticJson(written, lookup)), lookup);
  ASSERT_TRUE(read);
  written.fixes[0].edits[1].newText = "\xef\xbf\xbd"; // what is no UTF-8 is replaced where it leaves
  EXPECT_EQ(*read, written);
}

TEST(DiagnosticReader, WhatIsNoneIsNothing) {
  TextLookup nothing = [](const std::string &) { return nullptr; };
  for (const char *text : {"{}", "[]", "null", R"({"code":"PL3105"})", R"({"code":"PL9998","severity":"error"})",
                           R"({"code":7,"severity":"error"})", R"({"code":"PL3105","severity":"bad"})"}) {
    EXPECT_FALSE(readDiagnostic(Ordered::parse(text), nothing)) << text;
  }
  std::optional<diag::Diagnostic> bare = readDiagnostic(
      Ordered::parse(
          R"({"code":"PL3105","severity":"error","path":"gone.py","range":{"start":{"line":-1}},"related":7,)"
          R"("fixes":[3,{"edits":[null]}],"annotation":[]})"),
      nothing);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->at.path, "gone.py");
  EXPECT_EQ(bare->at.range, source::ByteRange{});
  EXPECT_EQ(bare->fixes.size(), 2U);
}

} // namespace
} // namespace placid::server
