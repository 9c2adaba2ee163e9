// SPDX-License-Identifier: Apache-2.0
#include "server/publish/publish.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

struct Published {
  source::SourcePtr text;
  std::vector<lsp::Diagnostic> list;
};

Published publish(const std::string &text, const PublishOptions &options = {}) {
  Published out;
  out.text = std::make_shared<source::SourceText>("/w/k.py", text);
  testing::FakeCompiler compiler;
  out.list = toLsp(compiler.check(out.text, {}, {}).diagnostics, {out.text, "file:///w/k.py"}, options);
  return out;
}

TEST(Publish, RangesAreUtf16) {
  Published out = publish("a = 1\r\n😀é\tERR");
  ASSERT_EQ(out.list.size(), 1U);
  EXPECT_EQ(out.list[0].range, (lsp::Range{{1, 4}, {1, 7}}));
  EXPECT_EQ(out.list[0].code, "PL2001");
  EXPECT_EQ(out.list[0].source, "placid");
  EXPECT_EQ(out.list[0].severity, lsp::Severity::Error);
  EXPECT_EQ(publish("WARN").list[0].severity, lsp::Severity::Warning);
}

TEST(Publish, TagsOfWhatIsLeftBehind) {
  auto text = std::make_shared<source::SourceText>("/w/k.py", "x = 1\n");
  auto tagsOf = [&](diag::Code code, const std::string &path, bool wanted) {
    diag::Diagnostic one;
    one.code = code;
    one.at.path = path;
    PublishOptions options;
    options.tags = wanted;
    return toLsp({one}, {text, "file:///w/k.py"}, options).at(0).tags;
  };
  using Tags = std::vector<lsp::DiagnosticTag>;
  EXPECT_EQ(tagsOf(diag::RemovedForm.code, "/w/k.py", true), Tags{lsp::DiagnosticTag::Deprecated});
  EXPECT_EQ(tagsOf(diag::SameDtypeCast.code, "/w/k.py", true), Tags{lsp::DiagnosticTag::Unnecessary});
  EXPECT_EQ(tagsOf(diag::UndefinedName.code, "/w/k.py", true), Tags{});
  EXPECT_EQ(tagsOf(diag::RemovedForm.code, "/w/k.py", false), Tags{}) << "the client does not know tags";
  EXPECT_EQ(tagsOf(diag::RemovedForm.code, "/w/other.py", true), Tags{}) << "nothing here is to be struck out";
}

TEST(Publish, DocumentationLinks) {
  EXPECT_EQ(publish("ERR").list[0].codeDescription, "placid:explain/PL2001");
  PublishOptions options;
  options.links.pageFolder = "/opt/a b";
  EXPECT_EQ(publish("ERR", options).list[0].codeDescription, "file:///opt/a%20b/PL2001.md");
  options.codeDescription = false;
  EXPECT_EQ(publish("ERR", options).list[0].codeDescription, "");
}

TEST(Publish, AnnotationSummaryLinksToEveryUse) {
  Published out = publish("w: pl.NZ\nBADUSE\nok\nBADUSE\n");
  ASSERT_EQ(out.list.size(), 3U);
  const lsp::Diagnostic &use = out.list[0];
  ASSERT_EQ(use.related.size(), 1U);
  EXPECT_EQ(use.related[0].location.range.start, (lsp::Position{0, 3}));
  EXPECT_EQ(use.message, "the offset `r0` is not a multiple of 16\nhelp: use a multiple of 16");
  const lsp::Diagnostic &summary = out.list[2];
  EXPECT_EQ(summary.range, (lsp::Range{{0, 3}, {0, 8}}));
  EXPECT_EQ(summary.severity, lsp::Severity::Information);
  EXPECT_EQ(summary.message,
            "this NZ declaration has 2 uses that are refused: nz-offset-align at line 2, nz-offset-align at line 4");
  ASSERT_EQ(summary.related.size(), 2U);
  EXPECT_EQ(summary.related[1].location.range.start, (lsp::Position{3, 0}));
}

TEST(Publish, AFaultOfTheDeclarationItselfNeedsNoSummary) {
  Published out = publish("w: pl.NZ BADNZ");
  ASSERT_EQ(out.list.size(), 1U);
  EXPECT_EQ(out.list[0].code, "PL3101");
}

TEST(Publish, WithoutRelatedInformationItIsInTheMessage) {
  PublishOptions options;
  options.relatedInformation = false;
  Published out = publish("w: pl.NZ\nBADUSE", options);
  EXPECT_TRUE(out.list[0].related.empty());
  EXPECT_NE(out.list[0].message.find("line 1: declared NZ here"), std::string::npos);
}

TEST(Publish, FaultsOfOtherFilesAreToldAtTheTop) {
  Published out = publish("OTHER");
  ASSERT_EQ(out.list.size(), 1U);
  EXPECT_EQ(out.list[0].range, lsp::Range{});
  EXPECT_EQ(out.list[0].message.rfind("other.py: ", 0), 0U);
}

} // namespace
} // namespace placid::server
