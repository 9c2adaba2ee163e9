// SPDX-License-Identifier: Apache-2.0
// LineIndex against a model that walks the text one character at a time, on random texts full of what goes wrong:
// all three line endings, characters of one to four bytes, empty lines, no final newline.
#include "compiler/source/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace placid::source {
namespace {

/// One character of the model: where it starts, and the position an editor would give it.
struct Step {
  uint32_t offset;
  Position at;
};

/// Every character start of `text`, and its end, by the definition in the protocol's text.
std::vector<Step> walk(const std::string &text) {
  std::vector<Step> out;
  Position at;
  for (uint32_t i = 0; i < text.size();) {
    out.push_back({i, at});
    auto lead = static_cast<unsigned char>(text[i]);
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      out.push_back({i + 1, {at.line, at.character + 1}}); // between the two: still on the line that ends here
      i += 2;
      at = {at.line + 1, 0};
    } else if (text[i] == '\n' || text[i] == '\r') {
      ++i;
      at = {at.line + 1, 0};
    } else {
      uint32_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      i += length;
      at.character += length == 4 ? 2 : 1;
    }
  }
  out.push_back({static_cast<uint32_t>(text.size()), at});
  return out;
}

std::string randomText(std::mt19937 &random) {
  static const char *const kPieces[] = {"a",
                                        " ",
                                        "\t",
                                        "x = 1",
                                        "\n",
                                        "\r\n",
                                        "\r",
                                        "\xC3\xA9",
                                        "\xE6\xBC\xA2",
                                        "\xE2\x82\xAC",
                                        "\xF0\x9F\x98\x80",
                                        "\xF0\x90\x80\x80",
                                        "\n\n",
                                        "# c"};
  std::string out;
  size_t count = random() % 40;
  for (size_t i = 0; i < count; ++i) {
    out += kPieces[random() % std::size(kPieces)];
  }
  return out;
}

TEST(LineIndex, AgreesWithTheModelOnRandomTexts) {
  std::mt19937 random(20240817);
  for (int round = 0; round < 2000; ++round) {
    SourceText source("t.py", randomText(random));
    std::vector<Step> steps = walk(source.text);
    SCOPED_TRACE(testing::PrintToString(source.text));
    ASSERT_EQ(source.lines.lineCount(), steps.back().at.line + 1);
    for (const Step &step : steps) {
      ASSERT_EQ(source.lines.position(source.text, step.offset), step.at) << "offset " << step.offset;
      bool insideEnding = step.offset > 0 && source.text[step.offset - 1] == '\r' && step.offset < source.text.size() &&
                          source.text[step.offset] == '\n';
      if (!insideEnding) { // a position past the "\r" of "\r\n" means the line's end, so it does not come back
        ASSERT_EQ(source.lines.offset(source.text, step.at), step.offset) << step.at.line << ":" << step.at.character;
      }
    }
  }
}

TEST(LineIndex, LineColumnRoundTripsForEveryOffset) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string text = randomText(random);
    LineIndex lines(text);
    for (uint32_t offset = 0; offset <= text.size(); ++offset) {
      ASSERT_EQ(lines.offset(lines.lineColumn(offset)), offset) << testing::PrintToString(text);
    }
  }
}

TEST(LineIndex, LinesJoinedWithTheirEndingsAreTheText) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    std::string text = randomText(random);
    LineIndex lines(text);
    size_t length = 0;
    for (uint32_t line = 0; line < lines.lineCount(); ++line) {
      std::string_view view = lines.line(text, line);
      ASSERT_EQ(view.find_first_of("\r\n"), std::string_view::npos);
      ASSERT_EQ(text.substr(lines.offset(LineColumn{line, 0}), view.size()), view);
      length += view.size();
    }
    size_t endings = std::count_if(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; });
    ASSERT_EQ(length + endings, text.size());
  }
}

TEST(LineIndex, EmojiTakesTwoUnits) {
  SourceText source("t.py", "a\xF0\x9F\x98\x80"
                            "b\n");
  EXPECT_EQ(source.lines.position(source.text, 5), (Position{0, 3}));
  EXPECT_EQ(source.lines.offset(source.text, Position{0, 3}), 5u);
  EXPECT_EQ(source.lines.offset(source.text, Position{0, 2}), 1u) << "inside the pair: the character's start";
}

TEST(LineIndex, PositionsPastTheEndAreClamped) {
  SourceText source("t.py", "ab\r\ncd");
  EXPECT_EQ(source.lines.offset(source.text, Position{0, 99}), 2u);
  EXPECT_EQ(source.lines.offset(source.text, Position{1, 99}), 6u);
  EXPECT_EQ(source.lines.offset(source.text, Position{9, 0}), 6u);
  EXPECT_EQ(source.lines.position(source.text, 99), (Position{1, 2}));
  EXPECT_EQ(source.lines.line(source.text, 9), "");
}

TEST(LineIndex, EmptyTextHasOneEmptyLine) {
  SourceText source("t.py", "");
  EXPECT_EQ(source.lines.lineCount(), 1u);
  EXPECT_EQ(source.lines.position(source.text, 0), (Position{0, 0}));
  EXPECT_EQ(source.lines.offset(source.text, Position{0, 0}), 0u);
}

TEST(TextFault, IsFoundWhereverItStands) {
  for (uint32_t at = 0; at < 20; ++at) {
    std::string text(20, 'x');
    EXPECT_EQ(findTextFault(text).kind, TextFault::Kind::None);
    text[at] = '\x7f';
    EXPECT_EQ(findTextFault(text).kind, TextFault::Kind::None);
    text[at] = '\0';
    EXPECT_EQ(findTextFault(text).kind, TextFault::Kind::NulByte);
    EXPECT_EQ(findTextFault(text).offset, at);
    text[at] = '\xff';
    EXPECT_EQ(findTextFault(text).kind, TextFault::Kind::InvalidUtf8);
    EXPECT_EQ(findTextFault(text).offset, at);
  }
}

TEST(TextFault, FindsTheFirstFault) {
  EXPECT_EQ(findTextFault("plain \xF0\x9F\x98\x80").kind, TextFault::Kind::None);
  EXPECT_EQ(findTextFault(std::string("a\0b", 3)).kind, TextFault::Kind::NulByte);
  EXPECT_EQ(findTextFault(std::string("a\0b", 3)).offset, 1u);
  struct Row {
    const char *text;
    uint32_t offset;
  };
  for (const Row &row : {Row{"ab\xFF", 2}, Row{"\xC3", 0}, Row{"x\xE6\xBC", 1}, Row{"\xC0\x80", 0},
                         Row{"\xED\xA0\x80", 0}, Row{"\xF4\x90\x80\x80", 0}, Row{"\xE0\x80\x80", 0}, Row{"a\x80", 1}}) {
    TextFault fault = findTextFault(row.text);
    EXPECT_EQ(fault.kind, TextFault::Kind::InvalidUtf8) << testing::PrintToString(row.text);
    EXPECT_EQ(fault.offset, row.offset) << testing::PrintToString(row.text);
  }
}

} // namespace
} // namespace placid::source
