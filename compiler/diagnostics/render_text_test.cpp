// SPDX-License-Identifier: Apache-2.0
// Whole renderings, because what matters is what a person sees: marks under the right characters, labels that belong to
// their marks, one snippet a file, nothing of the source that could drive a terminal.
#include "compiler/diagnostics/display_width.h"
#include "compiler/diagnostics/render_text.h"

#include <gtest/gtest.h>

#include <map>

namespace placid::diag {
namespace {

class RenderText : public testing::Test {
protected:
  void file(const std::string &path, const std::string &text) {
    files_[path] = std::make_shared<source::SourceText>(path, text);
  }

  /// The place of the `nth` occurrence of `needle` in `path`.
  Location at(const std::string &path, const std::string &needle, int nth = 0) const {
    const std::string &text = files_.at(path)->text;
    size_t found = text.find(needle);
    for (; nth > 0 && found != std::string::npos; --nth) {
      found = text.find(needle, found + 1);
    }
    EXPECT_NE(found, std::string::npos) << needle;
    return {path, {static_cast<uint32_t>(found), static_cast<uint32_t>(found + needle.size())}};
  }

  static Diagnostic error(Location where, std::string text = "a fault") {
    Diagnostic out;
    out.code = static_cast<Code>(3105);
    out.at = std::move(where);
    out.message = std::move(text);
    return out;
  }

  std::string render(const Diagnostic &diagnostic, RenderOptions options = {}) const {
    return "\n" + renderText(
                      diagnostic,
                      [&](const std::string &path) {
                        auto found = files_.find(path);
                        return found == files_.end() ? nullptr : found->second;
                      },
                      options);
  }

  std::map<std::string, source::SourcePtr> files_;
};

TEST_F(RenderText, MarksTheRange) {
  file("k.py", "x = 1\ny = foo(x)\n");
  EXPECT_EQ(render(error(at("k.py", "foo"))), R"(
error[PL3105]: a fault
 --> k.py:2:5
  |
2 | y = foo(x)
  |     ^^^
)");
}

TEST_F(RenderText, LabelsOfOneFileShareASnippetInLineOrder) {
  file("k.py", "def kern(\n    w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],\n):\n    a = 1\n    r0 = lane * 24\n"
               "    t = pl.load(w, [r0, 0])\n");
  Diagnostic d = error(at("k.py", "r0", 1), "the row offset `r0` is not proven");
  d.related = {{at("k.py", "r0 = lane * 24"), "bound here", Related::Role::Binding},
               {at("k.py", "pl.NZ"), "`w` is declared NZ here", Related::Role::Annotation}};
  d.fixes = {{"multiply by a multiple of 16", {}}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: the row offset `r0` is not proven
 --> k.py:6:21
  |
2 |     w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
  |                                     ----- `w` is declared NZ here
...
5 |     r0 = lane * 24
  |     -------------- bound here
6 |     t = pl.load(w, [r0, 0])
  |                     ^^
  |
  = help: multiply by a multiple of 16
)");
}

TEST_F(RenderText, ALoneUnmarkedLineBetweenMarksIsShown) {
  file("k.py", "a = 1\nb = 2\nc = a\n");
  Diagnostic d = error(at("k.py", "a", 1));
  d.related = {{at("k.py", "a"), "first", Related::Role::Note}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: a fault
 --> k.py:3:5
  |
1 | a = 1
  | - first
2 | b = 2
3 | c = a
  |     ^
)");
}

TEST_F(RenderText, SeveralLabelsOnOneLineHangBelow) {
  file("k.py", "r = pl.min(lane * 64, 24)\n");
  Diagnostic d = error(at("k.py", "24"), "24 is not a multiple of 16");
  d.related = {{at("k.py", "lane * 64"), "a multiple of 64", Related::Role::Note},
               {at("k.py", "pl.min"), "needs both", Related::Role::Note},
               {at("k.py", "24"), "this is not", Related::Role::Note}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: 24 is not a multiple of 16
 --> k.py:1:23
  |
1 | r = pl.min(lane * 64, 24)
  |     ------ ---------  ^^ this is not
  |     |      |
  |     |      a multiple of 64
  |     needs both
)");
}

TEST_F(RenderText, ALongTextAboutTheMarkedPlaceBecomesANote) {
  file("k.py", "t = pl.load(w, [8, 0])\n");
  Diagnostic d = error(at("k.py", "8"));
  std::string forms = "provable forms: a constant multiple of 16, a product with one provable factor";
  d.related = {{at("k.py", "8"), forms, Related::Role::Note}};
  EXPECT_EQ(render(d), "\nerror[PL3105]: a fault\n --> k.py:1:17\n  |\n1 | t = pl.load(w, [8, 0])\n"
                       "  |                 ^\n  |\n  = note: " +
                           forms + "\n");
}

TEST_F(RenderText, ALabelInsideAWiderMarkHangs) {
  file("k.py", "t = pl.load(w, [8, 0])\n");
  Diagnostic d = error(at("k.py", "pl.load(w, [8, 0])"));
  d.related = {{at("k.py", "8"), "here", Related::Role::Note}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: a fault
 --> k.py:1:5
  |
1 | t = pl.load(w, [8, 0])
  |     ^^^^^^^^^^^^^^^^^^
  |                 |
  |                 here
)");
}

TEST_F(RenderText, OtherFilesAreSnippetsOfTheirOwn) {
  file("k.py", "from c import TILE\nx = TILE\n");
  file("lib/c.py", "TILE = 24\n");
  Diagnostic d = error(at("k.py", "TILE", 1));
  d.related = {{at("lib/c.py", "24"), "the value comes from here", Related::Role::Binding}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: a fault
 --> k.py:2:5
  |
2 | x = TILE
  |     ^^^^
  |
 ::: lib/c.py:1:8
  |
1 | TILE = 24
  |        -- the value comes from here
)");
}

TEST_F(RenderText, TabsWideCharactersAndEmoji) {
  file("k.py", "\tx = \"\xE6\xBC\xA2\xE5\xAD\x97\" + bad\n");
  EXPECT_EQ(render(error(at("k.py", "bad"))), "\nerror[PL3105]: a fault\n --> k.py:1:13\n  |\n"
                                              "1 |     x = \"\xE6\xBC\xA2\xE5\xAD\x97\" + bad\n"
                                              "  |                  ^^^\n");
  file("k.py", "s = \"\xF0\x9F\x98\x80\"; bad\n");
  EXPECT_EQ(render(error(at("k.py", "bad"))), "\nerror[PL3105]: a fault\n --> k.py:1:10\n  |\n"
                                              "1 | s = \"\xF0\x9F\x98\x80\"; bad\n"
                                              "  |           ^^^\n");
  file("k.py", "e\xCC\x81 = bad\n"); // a combining accent takes no column
  EXPECT_EQ(render(error(at("k.py", "bad"))), "\nerror[PL3105]: a fault\n --> k.py:1:6\n  |\n"
                                              "1 | e\xCC\x81 = bad\n"
                                              "  |     ^^^\n");
  file("k.py", "ab\tbad\n"); // a tab reaches the next stop only
  EXPECT_EQ(render(error(at("k.py", "bad")), {.color = false, .tabWidth = 8}),
            "\nerror[PL3105]: a fault\n --> k.py:1:4\n  |\n1 | ab      bad\n  |         ^^^\n");
}

TEST_F(RenderText, CrlfLeavesNoTrace) {
  file("k.py", "x = 1\r\ny = bad\r\n");
  EXPECT_EQ(render(error(at("k.py", "bad"))),
            "\nerror[PL3105]: a fault\n --> k.py:2:5\n  |\n2 | y = bad\n  |     ^^^\n");
}

TEST_F(RenderText, EmptyRangesAndTheEndOfTheFileGetOneCaret) {
  file("k.py", "x = (\n");
  EXPECT_EQ(render(error({"k.py", {5, 5}})), "\nerror[PL3105]: a fault\n --> k.py:1:6\n  |\n1 | x = (\n  |      ^\n");
  EXPECT_EQ(render(error({"k.py", {6, 6}})), "\nerror[PL3105]: a fault\n --> k.py:2:1\n  |\n2 |\n  | ^\n");
  EXPECT_EQ(render(error({"k.py", {900, 950}})), "\nerror[PL3105]: a fault\n --> k.py:2:1\n  |\n2 |\n  | ^\n");
}

TEST_F(RenderText, MultiLineRangesAreMarkedLineByLine) {
  file("k.py", "t = pl.load(\n    w,\n\n    [8, 0],\n)\nx = 1\n");
  EXPECT_EQ(render(error(at("k.py", "pl.load(\n    w,\n\n    [8, 0],\n)"))), R"(
error[PL3105]: a fault
 --> k.py:1:5
  |
1 | t = pl.load(
  |     ^^^^^^^^
2 |     w,
  |     ^^
3 |
4 |     [8, 0],
  |     ^^^^^^^
5 | )
  | ^
)");
}

TEST_F(RenderText, LongRangesShowTheirEnds) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    body += "    line\n";
  }
  file("k.py", "with a:\n" + body + "end\n");
  EXPECT_EQ(render(error({"k.py", {0, static_cast<uint32_t>(8 + body.size())}})), R"(
error[PL3105]: a fault
  --> k.py:1:1
   |
 1 | with a:
   | ^^^^^^^
 2 |     line
   |     ^^^^
...
21 |     line
   |     ^^^^
)");
}

TEST_F(RenderText, EditsAreShownApplied) {
  file("k.py", "x = 1\nt = pl.load(w, [8, 0])\n");
  Diagnostic d = error(at("k.py", "8"));
  d.fixes = {{"start on a fractal", {{at("k.py", "8"), "16"}}},
             {"declare it ND", {{at("k.py", "x = 1"), "x = 2\ny = 3"}}}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: a fault
 --> k.py:2:17
  |
2 | t = pl.load(w, [8, 0])
  |                 ^
  |
  = help: start on a fractal
2 ~ t = pl.load(w, [16, 0])
  = help: declare it ND
)");
}

TEST_F(RenderText, SeveralEditsOnOneLineKeepTheirPlaces) {
  file("k.py", "f(aa, bb)\n");
  Diagnostic d = error(at("k.py", "f"));
  d.fixes = {{"rename", {{at("k.py", "aa"), "x"}, {at("k.py", "bb"), "yyyy"}}}};
  EXPECT_NE(render(d).find("1 ~ f(x, yyyy)\n"), std::string::npos) << render(d);
}

TEST_F(RenderText, LongLinesAreCroppedAroundTheMark) {
  file("k.py", "x = '" + std::string(5000, 'a') + "' + bad + '" + std::string(5000, 'b') + "'\n");
  std::string out = render(error(at("k.py", "bad")));
  EXPECT_LT(out.size(), 700u);
  size_t lineAt = out.find("1 | ");
  std::string line = out.substr(lineAt, out.find('\n', lineAt) - lineAt);
  size_t markAt = out.find("  | ", lineAt);
  EXPECT_EQ(line.substr(0, 7), "1 | ...");
  EXPECT_EQ(line.find("bad"), out.find('^', markAt) - markAt);
}

TEST_F(RenderText, CroppingNeverSplitsACharacter) {
  std::string wide;
  for (int i = 0; i < 300; ++i) {
    wide += "\xE6\xBC\xA2";
  }
  for (int shift = 0; shift < 4; ++shift) {
    file("k.py", std::string(shift, 'x') + wide + " bad " + wide + "\n");
    EXPECT_EQ(render(error(at("k.py", "bad"))).find("\xEF\xBF\xBD"), std::string::npos) << shift;
  }
}

TEST_F(RenderText, NothingThatDrivesATerminalPassesThrough) {
  file("k\x1b.py", "x = '\x1b[31m' \xE2\x80\xAE bad \xFF\n");
  std::string out = render(error(at("k\x1b.py", "bad"), "evil \x1b]0;title\x07"));
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\x07'), std::string::npos);
  EXPECT_EQ(out.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_EQ(out.find('\xFF'), std::string::npos);
}

TEST_F(RenderText, AFileThatIsNotAtHandIsNamed) {
  Diagnostic d = error({"gone.py", {3, 4}});
  d.related = {{{"also.py", {1, 2}}, "said here", Related::Role::Note}};
  EXPECT_EQ(render(d), R"(
error[PL3105]: a fault
 --> gone.py
 ::: also.py
  = note: said here
)");
  EXPECT_EQ(renderText(error({}), nullptr), "error[PL3105]: a fault\n");
}

TEST_F(RenderText, HelpOfSeveralLinesIsIndented) {
  file("k.py", "bad\n");
  Diagnostic d = error(at("k.py", "bad"));
  d.severity = Severity::Warning;
  d.fixes = {{"provable are:\na constant", {}}};
  EXPECT_EQ(render(d), "\nwarning[PL3105]: a fault\n --> k.py:1:1\n  |\n1 | bad\n  | ^^^\n  |\n"
                       "  = help: provable are:\n          a constant\n");
}

TEST_F(RenderText, ColourOnlyAddsEscapes) {
  file("k.py", "t = pl.load(w, [8, 0])\n");
  Diagnostic d = error(at("k.py", "8"));
  d.related = {{at("k.py", "w"), "the tensor", Related::Role::Note}};
  d.fixes = {{"use 16", {}}};
  std::string coloured = render(d, {.color = true, .tabWidth = 4});
  std::string plain;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  EXPECT_NE(coloured, plain);
  EXPECT_EQ(plain, render(d));
}

TEST_F(RenderText, TheSummaryCountsAndPointsAtAPage) {
  Diagnostic d = error({});
  EXPECT_EQ(renderSummary({1, 2, 0, 0}, {}), "ok: 2 kernels in 1 file, nothing to report\n");
  EXPECT_EQ(renderSummary({2, 1, 1, 0}, std::vector{d}),
            "1 error (1 kernel in 2 files); `placid explain PL3105` tells more\n");
  EXPECT_EQ(renderSummary({1, 1, 2, 3}, {}), "2 errors, 3 warnings (1 kernel in 1 file)\n");
}

TEST(DisplayWidth, KnownCharacters) {
  EXPECT_EQ(displayWidth('a'), 1u);
  EXPECT_EQ(displayWidth(0xE9), 1u);
  EXPECT_EQ(displayWidth(0x6F22), 2u);
  EXPECT_EQ(displayWidth(0x1F600), 2u);
  EXPECT_EQ(displayWidth(0xFF21), 2u);
  EXPECT_EQ(displayWidth(0x0301), 0u);
  EXPECT_EQ(displayWidth(0x200B), 0u);
  EXPECT_EQ(displayWidth(0x20000), 2u);
  EXPECT_EQ(displayWidth(0x10FFFF), 1u);
}

} // namespace
} // namespace placid::diag
