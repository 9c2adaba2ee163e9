// SPDX-License-Identifier: Apache-2.0
// The way of a diagnostic through MLIR's engine: code, severity, ranges, roles and fixes come out as they went in.
#include "compiler/mlir_bridge/collector.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace placid;

namespace {

class CollectorTest : public testing::Test {
protected:
  CollectorTest() : context_(MLIRContext::Threading::DISABLED) {}

  bridge::SourceLookup lookup() {
    return [this](const std::string &path) { return path == "k.py" ? text_ : nullptr; };
  }
  Location at(unsigned line, unsigned begin, unsigned end) {
    return FileLineColRange::get(StringAttr::get(&context_, "k.py"), line, begin, line, end);
  }
  std::string slice(const diag::Location &location) {
    return text_->text.substr(location.range.begin, location.range.end - location.range.begin);
  }

  MLIRContext context_;
  source::SourcePtr text_ =
      std::make_shared<source::SourceText>("k.py", "w: NZ\r\nr0 = lane * 24\nload(w, [r0, 0])  # é\n");
  std::vector<diag::Diagnostic> out_;
};

TEST_F(CollectorTest, TypedDiagnosticComesBackWhole) {
  {
    bridge::DiagnosticCollector collector(&context_, out_, lookup(), "K.kern");
    bridge::emitDiag(at(3, 10, 12), diag::NzRank, "w", 1)
        .annotation(at(1, 4, 6), "declared here")
        .binding(at(2, 6, 15), "bound here")
        .note(at(3, 1, 5), "a note")
        .help("write 16")
        .edit(at(3, 10, 12), "16")
        .help("or do not");
  }
  ASSERT_EQ(out_.size(), 1U);
  const diag::Diagnostic &d = out_.front();
  EXPECT_EQ(d.code, diag::NzRank.code);
  EXPECT_EQ(d.severity, diag::Severity::Error);
  EXPECT_EQ(d.kernel, "K.kern");
  EXPECT_EQ(d.message, diag::message(diag::NzRank, "w", 1));
  EXPECT_EQ(slice(d.at), "r0");
  ASSERT_TRUE(d.annotation);
  EXPECT_EQ(slice(*d.annotation), "NZ");
  ASSERT_EQ(d.related.size(), 3U);
  EXPECT_EQ(d.related[0].role, diag::Related::Role::Annotation);
  EXPECT_EQ(d.related[1].role, diag::Related::Role::Binding);
  EXPECT_EQ(slice(d.related[1].at), "lane * 24");
  EXPECT_EQ(d.related[2].role, diag::Related::Role::Note);
  ASSERT_EQ(d.fixes.size(), 2U);
  EXPECT_EQ(d.fixes[0].title, "write 16");
  ASSERT_EQ(d.fixes[0].edits.size(), 1U);
  EXPECT_EQ(d.fixes[0].edits[0].newText, "16");
  EXPECT_EQ(slice(d.fixes[0].edits[0].at), "r0");
  EXPECT_TRUE(d.fixes[1].edits.empty());
}

TEST_F(CollectorTest, SeverityOfTheCatalogueAndOverride) {
  {
    bridge::DiagnosticCollector collector(&context_, out_, lookup(), "");
    bridge::emitDiag(at(1, 1, 2), diag::NotSupportedYet, "x");
    bridge::emitDiag(at(1, 1, 2), diag::UnknownValue, "x", "y");
    bridge::emitDiagAs(diag::Severity::Warning, at(1, 1, 2), diag::NzOffsetSign, "unknown sign");
  }
  ASSERT_EQ(out_.size(), 3U);
  EXPECT_EQ(out_[0].severity, diag::Severity::Warning);
  EXPECT_EQ(out_[1].severity, diag::Severity::Information);
  EXPECT_EQ(out_[2].severity, diag::Severity::Warning);
  EXPECT_EQ(out_[2].code, diag::NzOffsetSign.code);
}

TEST_F(CollectorTest, UncodedErrorIsOurFault) {
  {
    bridge::DiagnosticCollector collector(&context_, out_, lookup(), "");
    emitError(at(1, 1, 2)) << "bad op";
    emitRemark(at(1, 1, 2)) << "chatter";
  }
  ASSERT_EQ(out_.size(), 1U);
  EXPECT_EQ(out_[0].code, diag::InternalError.code);
  EXPECT_NE(out_[0].message.find("bad op"), std::string::npos);
}

TEST_F(CollectorTest, RangesAreFoundInsideNamesAndFusion) {
  Builder builder(&context_);
  Location named = NameLoc::get(builder.getStringAttr("r0"), at(2, 1, 3));
  Location fused = FusedLoc::get(&context_, {UnknownLoc::get(&context_), named}, builder.getDictionaryAttr({}));
  EXPECT_EQ(slice(bridge::byteLocation(fused, lookup())), "r0");
  EXPECT_EQ(bridge::byteLocation(UnknownLoc::get(&context_), lookup()), diag::Location());
  Location other = FileLineColRange::get(builder.getStringAttr("else.py"), 4, 2, 4, 9);
  EXPECT_EQ(bridge::byteLocation(other, lookup()), (diag::Location{"else.py", {0, 0}}));
  // Columns past the line end are clamped, columns are bytes.
  EXPECT_EQ(slice(bridge::byteLocation(at(3, 21, 23), lookup())), "é");
}

TEST_F(CollectorTest, HandlerIsGoneAfterwards) {
  unsigned outer = 0;
  ScopedDiagnosticHandler handler(&context_, [&](Diagnostic &) {
    ++outer;
    return success();
  });
  {
    bridge::DiagnosticCollector collector(&context_, out_, lookup(), "");
  }
  bridge::emitDiag(at(1, 1, 2), diag::ZeroStep);
  EXPECT_EQ(outer, 1U);
  EXPECT_TRUE(out_.empty());
}

} // namespace
